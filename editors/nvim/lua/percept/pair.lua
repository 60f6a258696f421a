-- Two histories that a role cannot tell apart: moves and boards side by side, and percepts that would distinguish them.
local board = require("percept.board")
local M = {}

M.PROPERTIES = { legal = "its legal moves", terminal = "whether the match is over", goal = "its goal", own = "its own moves" }

--- The moves of a round without `noop`.
function M.short(moves)
  local made = vim.tbl_filter(function(name)
    return name ~= "noop"
  end, moves)
  return #made > 0 and table.concat(made, " ") or "noop"
end

--- The key of a pair, made of its moves, because other rules may give other pairs.
function M.key(finding)
  return finding.role .. vim.json.encode({ finding.witness.first, finding.witness.second })
end

-- Two histories: side by side if the window is wide enough, else one below the other, so that nothing is cut.
local function moves_view(page, finding, room)
  local pair = finding.witness
  page:gap()
  page:add(("%s cannot know %s after round %d"):format(finding.role, M.PROPERTIES[finding.property], finding.round),
    "DiagnosticError", { kind = "jump", at = finding.round })
  local left, right = pair.first_is_match and "this match" or "one history", "also possible"
  local size, other = board.width(left), board.width(right)
  for round, moves in ipairs(pair.first) do
    size = math.max(size, board.width(M.short(moves)))
    other = math.max(other, board.width(M.short(pair.second[round] or {})))
  end
  size = math.max(size, board.width(pair.first_value))
  other = math.max(other, board.width(pair.second_value))
  local function padded(text)
    return text .. string.rep(" ", size - board.width(text))
  end
  if size + other + 10 <= room then
    page:add(("     %s  |  %s"):format(padded(left), right), "Comment")
    for round, moves in ipairs(pair.first) do
      local a, b = M.short(moves), M.short(pair.second[round] or {})
      page:add(("  %2d %s  |  %s"):format(round, padded(a), b), a ~= b and "DiagnosticWarn" or nil)
    end
    page:add(("     %s  |  %s"):format(padded(pair.first_value), pair.second_value))
    return
  end
  for round, moves in ipairs(pair.first) do
    local a, b = M.short(moves), M.short(pair.second[round] or {})
    if a == b then
      page:add(("  %2d %s"):format(round, a))
    else
      page:add(("  %2d %s: %s"):format(round, left, a), "DiagnosticWarn")
      page:add(("     %s: %s"):format(right, b), "DiagnosticWarn")
    end
  end
  page:add(("     %s: %s"):format(left, pair.first_value))
  page:add(("     %s: %s"):format(right, pair.second_value))
end


-- The boards of one side as separate lines, with marks.
local function lines_of(render, side, at, differs)
  local page = render.page()
  for number, it in ipairs(side.boards) do
    board.boards(page, { it }, {}, false, function(row, column)
      for _, place in ipairs(differs) do
        if place[1] == number - 1 and place[2] == row - 1 and place[3] == column - 1 then
          return true
        end
      end
      return false
    end)
  end
  for _, name in ipairs(side.only) do
    page:add("  " .. name, "DiagnosticWarn")
  end
  if side.terminal then
    page:add("  the match is over", "String")
  end
  return page
end

-- Two pages side by side, or one below the other if the window is too narrow.
local function beside(page, left, right, titles, room)
  local size = board.width(titles[1]) + 4
  for _, line in ipairs(left.lines) do
    size = math.max(size, board.width(line))
  end
  local other = 0
  for _, line in ipairs(right.lines) do
    other = math.max(other, board.width(line))
  end
  local function put(from, shift, first)
    for _, mark in ipairs(from.marks) do
      local line = from.lines[mark.row]
      local by = shift and #page.lines[first + mark.row] - #line or 0
      table.insert(page.marks, { row = first + mark.row, group = mark.group, from = (mark.from or 0) + by, to = (mark.to or #line) + by })
    end
  end
  if size + other + 5 > room then
    for index, it in ipairs({ left, right }) do
      page:add("  " .. titles[index], "Title")
      local first = #page.lines
      for _, line in ipairs(it.lines) do
        page:add(line)
      end
      put(it, false, first)
    end
    return
  end
  local function padded(text)
    return text .. string.rep(" ", size - board.width(text))
  end
  page:add(padded("  " .. titles[1]) .. "  |  " .. titles[2], "Title")
  local first = #page.lines
  for row = 1, math.max(#left.lines, #right.lines) do
    page:add(padded(left.lines[row] or "") .. "  |" .. (right.lines[row] or ""))
  end
  put(left, false, first)
  put(right, true, first)
end

local function boards_view(page, render, model, finding, room)
  local frames = model.pairs and model.pairs[M.key(finding)]
  if not frames or not frames.frames then
    page:add("  <CR> show both as boards", "Function",
      { kind = "pair", finding = finding })
    return
  end
  local last = #frames.frames - 1
  local at = math.min(model.pair_round or last, last)
  local frame = frames.frames[at + 1]
  page:add(("  after round %d of %d   < and > change the round; [ ] marks differences"):format(at, last), "Comment")
  local titles = { finding.witness.first_is_match and "this match" or "one history", "also possible" }
  local left, right = lines_of(render, frame.first, at, frame.differs), lines_of(render, frame.second, at, frame.differs)
  beside(page, left, right, titles, room)
  if frame.told then
    local seen = #frame.told.percepts > 0 and table.concat(frame.told.percepts, " ") or "nothing"
    page:add(("  in both %s does %s and sees %s"):format(finding.role, frame.told.move or "?", seen), "Special")
  end
end

local function repairs_view(page, model, finding)
  local found = model.repairs and model.repairs[finding.role .. "/" .. finding.property]
  if not found then
    page:add(("  <CR> find the percepts that %s lacks"):format(finding.role), "Function",
      { kind = "repair", role = finding.role, property = finding.property })
    return
  end
  if #found.repairs == 0 then
    page:add("  no percepts were found that are proved to suffice", "Comment")
    return
  end
  page:add(("  so that %s always knows %s (proved; the least informative first; <CR> inserts):"):format(finding.role, M.PROPERTIES[finding.property]), "Title")
  for _, it in ipairs(found.repairs) do
    local bits = it.bits and ("%.2f bits"):format(it.bits) or "not counted"
    if it.worth then
      local worth = it.worth == 0 and "nothing" or ("%.3f"):format(it.worth):gsub("%.?0+$", "")
      bits = ("%s, worth %s to %s"):format(bits, worth, finding.role)
    end
    page:add(("  + %s  (%s)"):format(it.says, bits), "Function", { kind = "insert", edits = it.edits })
    for _, line in ipairs(vim.split(vim.trim(it.text), "\n", { plain = true })) do
      page:add("      " .. line, "Comment")
    end
  end
end

--- Shows one pair. `render` makes pages, `model` has the answers so far, `room` is the width.
function M.view(page, render, model, finding, room)
  moves_view(page, finding, room)
  boards_view(page, render, model, finding, room)
  repairs_view(page, model, finding)
end

return M
