-- What the split shows, as lines of text; pure functions over the server's answers.
local M = {}

-- A page under construction: lines, highlights, and what <CR> does on a line.
local Page = {}
Page.__index = Page

function M.page()
  return setmetatable({ lines = {}, marks = {}, actions = {} }, Page)
end

--- Adds a line; `group` colours it, `action` is what <CR> does there.
function Page:add(text, group, action)
  for _, line in ipairs(vim.split(text, "\n", { plain = true })) do
    table.insert(self.lines, line)
    local row = #self.lines
    if group then
      table.insert(self.marks, { row = row, group = group })
    end
    if action then
      self.actions[row] = action
    end
  end
end

function Page:gap()
  if #self.lines > 0 and self.lines[#self.lines] ~= "" then
    table.insert(self.lines, "")
  end
end

local function width(text)
  return vim.fn.strdisplaywidth(text)
end

local function center(text, size)
  local left = math.floor((size - width(text)) / 2)
  return string.rep(" ", left) .. text .. string.rep(" ", size - width(text) - left)
end

-- A board as a grid; <CR> on a cell chooses the moves that name it, so the page remembers where its cells are.
local function board(page, it, asks)
  local size = 1
  local head = 0
  for _, name in ipairs(it.columns) do
    size = math.max(size, width(name))
  end
  for _, name in ipairs(it.rows) do
    head = math.max(head, width(name))
  end
  for _, row in ipairs(it.cells) do
    for _, cell in ipairs(row) do
      size = math.max(size, width(cell.sign))
    end
  end
  local indent = string.rep(" ", head + 2)
  page:add("  " .. it.title, "Comment")
  local names = vim.tbl_map(function(name)
    return center(name, size + 2)
  end, it.columns)
  page:add(indent .. " " .. table.concat(names, " "), "Comment")
  local rule = indent .. "+" .. string.rep(string.rep("-", size + 2) .. "+", #it.columns)
  page:add(rule, "NonText")
  for at, row in ipairs(it.cells) do
    local name = it.rows[at]
    local line = " " .. string.rep(" ", head - width(name)) .. name .. " |"
    local cells = {}
    for _, cell in ipairs(row) do
      local text = center(cell.sign, size + 2)
      local shade = cell.share and ("PerceptShade%d"):format(math.min(4, math.floor(cell.share * 5))) or nil
      table.insert(cells, { from = #line, to = #line + #text, cell = cell, group = shade })
      line = line .. text .. "|"
    end
    page:add(line, nil, asks and { kind = "cell", cells = cells } or nil)
    for _, place in ipairs(cells) do
      if place.group then
        table.insert(page.marks, { row = #page.lines, group = place.group, from = place.from, to = place.to })
      end
    end
    page:add(rule, "NonText")
  end
end

-- Boards with their legend; returns what is drawn on them.
local function boards(page, all, legend, asks)
  local drawn = {}
  for _, it in ipairs(all or {}) do
    board(page, it, asks)
    for _, row in ipairs(it.cells) do
      for _, cell in ipairs(row) do
        for _, name in ipairs(cell.fluents) do
          drawn[name] = true
        end
      end
    end
  end
  local words = vim.tbl_map(function(it)
    return it.sign .. " " .. it.says
  end, legend or {})
  if #words > 0 then
    page:add("  " .. table.concat(words, "   "), "Comment")
  end
  return drawn
end

local function state(page, shown)
  local drawn = boards(page, shown.boards, shown.legend, true)
  for _, group in ipairs(shown.groups) do
    for _, name in ipairs(group.fluents) do
      if not drawn[name] then
        page:add("  " .. name, nil, { kind = "why", question = { fluent = name }, name = name })
      end
    end
  end
  for _, pair in ipairs(shown.numbers) do
    page:add(("  %s = %s"):format(pair[1], pair[2]))
  end
end

-- A bar of ten for each fact that is not certain.
local function bars(page, beliefs, exact, drawn)
  for _, it in ipairs(beliefs or {}) do
    if it.probability < 1 and not (drawn and drawn[it.fluent]) then
      local filled = math.floor(it.probability * 10 + 0.5)
      local bar = string.rep("█", filled) .. string.rep("·", 10 - filled)
      local err = exact and "" or (" ± %.1f"):format(it.error * 100)
      page:add(("  %s %5.1f %%%s  %s"):format(bar, it.probability * 100, err, it.fluent))
    end
  end
end

-- All that one role knows, and nothing else.
local function seat_view(page, seat, chosen)
  local over = { yes = "the match is over", no = "the match goes on", unknown = "it does not know whether the match is over",
    undecided = "whether it knows that the match is over was not found out in time" }
  page:add(("What %s knows after round %d: %s"):format(seat.role, seat.round, over[seat.over]), "Title")
  if seat.goals then
    page:add("  goal " .. table.concat(seat.goals, ", "))
  end
  for _, it in ipairs(seat.history) do
    page:add(("  %2d  %-24s  %s"):format(it.round, it.move or "?", #it.percepts > 0 and table.concat(it.percepts, " ") or "nothing"),
      nil, { kind = "jump", at = it.round })
  end
  page:gap()
  boards(page, seat.boards, seat.legend, true)
  for _, name in ipairs(seat.certain) do
    page:add("  " .. name)
  end
  bars(page, seat.possible, seat.exact)
  page:add(("  %s histories look the same%s"):format(seat.histories, seat.exact and "" or "; probabilities are estimates"), "Comment")
  page:gap()
  page:add("Moves" .. (#chosen > 0 and " that name " .. table.concat(chosen, ", ") or ""), "Title")
  for _, it in ipairs(seat.legal) do
    if it.chance < 1 then
      page:add(("  ? %s  (%.0f %%)"):format(it.name, it.chance * 100), "Comment")
    elseif M.names_all(it.places, chosen) then
      page:add("  ○ " .. it.name, nil, { kind = "seat", name = it.name })
    end
  end
end

--- Whether a move with these places names the chosen cells, in their order.
function M.names_all(places, chosen)
  for at, cell in ipairs(chosen) do
    local place = places and places[at]
    if not place then
      return false
    end
    local fits = place == cell
    if place:sub(-1) == "*" then
      fits = vim.startswith(cell, place:sub(1, -2))
    elseif place:sub(1, 1) == "*" then
      fits = vim.endswith(cell, place:sub(2))
    end
    if not fits then
      return false
    end
  end
  return true
end

local function or_nothing(list)
  return #list > 0 and table.concat(list, " ") or "nothing"
end

local function short(moves)
  local made = vim.tbl_filter(function(name)
    return name ~= "noop"
  end, moves)
  return #made > 0 and table.concat(made, " ") or "noop"
end

local function state_view(page, step, picked, chosen)
  local view = step.view
  page:add("State", "Title")
  state(page, view.state)
  for index, role in ipairs(view.roles) do
    page:gap()
    local result = view.terminal and #role.goals > 0 and ("   goal " .. table.concat(role.goals, ", ")) or ""
    page:add(role.name .. (role.chance and "  (chance)" or "") .. result, "Title")
    if view.round > 0 and not role.chance then
      if #role.percepts == 0 then
        page:add("  perceived nothing", "Special")
      end
      for _, name in ipairs(role.percepts) do
        page:add("  perceived " .. name, "Special", { kind = "why", question = { percept = name, role = role.name }, name = name })
      end
    end
    if not view.terminal then
      for at, name in ipairs(role.legal) do
        if not M.names_all(role.places and role.places[at], chosen) then
          goto continue
        end
        local is_picked = picked[index] == name or #role.legal == 1
        page:add((is_picked and "  ● " or "  ○ ") .. name, is_picked and "String" or nil,
          { kind = "pick", role = index, name = name })
        ::continue::
      end
    end
  end
  if not view.terminal then
    page:gap()
    page:add("[ play this round ]", "Function", { kind = "play" })
  end
end

-- An explanation and the explanations it rests on; <CR> on a line goes to its place in the text.
local function why_view(page, why, indent)
  local pad = string.rep(" ", indent)
  -- In POGDDL.
  for _, part in ipairs(why.parts or {}) do
    local open = part.location and { kind = "open", location = part.location } or nil
    page:add(pad .. (part.holds and "✓ " or "✗ ") .. part.says, part.holds and "DiagnosticOk" or "DiagnosticError", open)
    why_view(page, { parts = part.parts }, indent + 2)
  end
  if why.parts then
    return
  end
  for _, reason in ipairs(why.reasons) do
    page:add(pad .. "by " .. reason.text:gsub("%s+", " "), "Function", { kind = "open", location = reason.rule })
    for _, support in ipairs(reason.support) do
      page:add(pad .. "  ✓ " .. support.literal, "DiagnosticOk", { kind = "open", location = support.location })
      if support.why then
        why_view(page, support.why, indent + 4)
      end
    end
  end
  for _, failure in ipairs(why.failures) do
    page:add(pad .. "not by " .. failure.text:gsub("%s+", " "), "Function", { kind = "open", location = failure.rule })
    for _, failed in ipairs(failure.failed) do
      page:add(pad .. "  ✗ " .. failed.literal, "DiagnosticError", { kind = "open", location = failed.location })
    end
  end
  if #why.reasons == 0 and #why.failures == 0 then
    page:add(pad .. (why.holds and "it is given: no rule has to say it" or "no rule could say it"), "Comment")
  end
end

local function knowledge_view(page, step, set, beliefs)
  local view = step.view
  if not set then
    page:add("Looking for histories ...", "Comment")
    return
  end
  local index = 1
  for at, role in ipairs(view.roles) do
    if role.name == set.role then
      index = at
    end
  end
  page:add("What " .. set.role .. " saw", "Title")
  for round = 1, view.round do
    local it = view.history[round]
    page:add(("  %d  %-24s  %s"):format(round, it.moves[index] or "", or_nothing(it.percepts[index] or {})))
  end
  page:gap()
  local fits = set.complete and "histories fit" or "histories found so far"
  page:add(("%s %s, ending in %s states  (%s)"):format(set.histories, fits, set.states, set.method), "Title")
  if beliefs and beliefs.role == set.role then
    page:gap()
    page:add("How likely", "Title")
    local drawn = boards(page, beliefs.boards, beliefs.legend, false)
    bars(page, beliefs.beliefs, beliefs.exact, drawn)
    page:gap()
  end
  for _, member in ipairs(set.members) do
    local joints = {}
    local real = true
    for round, moves in ipairs(member.moves) do
      table.insert(joints, short(moves))
      real = real and vim.deep_equal(moves, view.history[round] and view.history[round].moves)
    end
    local line = ("  %5.1f %%  %s%s"):format(member.probability * 100, table.concat(joints, "  |  "), real and "   <- this match" or "")
    page:add(line, real and "String" or nil)
  end
end

local PROPERTIES = { legal = "its legal moves", terminal = "whether the match is over", goal = "its goal" }
local SIGNS = { known = "✓", unknown = "?", undecided = "…" }

-- Two histories: side by side where the window is wide enough, else one below the other, so that nothing is cut.
local function witness_view(page, finding, room)
  local pair = finding.witness
  page:gap()
  page:add(("%s cannot know %s after round %d"):format(finding.role, PROPERTIES[finding.property], finding.round),
    "DiagnosticError", { kind = "jump", at = finding.round })
  local left, right = pair.first_is_match and "this match" or "one history", "could as well be"
  local size, other = width(left), width(right)
  for round, moves in ipairs(pair.first) do
    size = math.max(size, width(short(moves)))
    other = math.max(other, width(short(pair.second[round] or {})))
  end
  size = math.max(size, width(pair.first_value))
  other = math.max(other, width(pair.second_value))
  local function padded(text)
    return text .. string.rep(" ", size - width(text))
  end
  if size + other + 10 <= room then
    page:add(("     %s  |  %s"):format(padded(left), right), "Comment")
    for round, moves in ipairs(pair.first) do
      local a, b = short(moves), short(pair.second[round] or {})
      page:add(("  %2d %s  |  %s"):format(round, padded(a), b), a ~= b and "DiagnosticWarn" or nil)
    end
    page:add(("     %s  |  %s"):format(padded(pair.first_value), pair.second_value))
    return
  end
  for round, moves in ipairs(pair.first) do
    local a, b = short(moves), short(pair.second[round] or {})
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

local function verdict_view(page, verdict, room)
  if not verdict or not verdict.findings then
    page:add("Judging what every role knows ...", "Comment")
    return
  end
  local last, roles, cells, bad = 0, {}, {}, {}
  for _, finding in ipairs(verdict.findings) do
    last = math.max(last, finding.round)
    if not cells[finding.role] then
      table.insert(roles, finding.role)
      cells[finding.role] = { legal = {}, terminal = {}, goal = {} }
    end
    cells[finding.role][finding.property][finding.round] = SIGNS[finding.verdict]
    if finding.witness then
      table.insert(bad, finding)
    end
  end
  page:add(#bad == 0 and "Every role knows what it must, as far as was looked." or ("At %d point%s a role does not know what it must."):format(#bad, #bad == 1 and "" or "s"),
    #bad == 0 and "DiagnosticOk" or "DiagnosticError")
  page:gap()
  local head = "                             "
  for round = 0, last do
    head = head .. ("%3d"):format(round)
  end
  page:add(head, "Comment")
  for _, role in ipairs(roles) do
    page:add(role, "Title")
    for _, property in ipairs({ "legal", "terminal", "goal" }) do
      local line = ("  %-27s"):format(PROPERTIES[property])
      for round = 0, last do
        line = line .. "  " .. (cells[role][property][round] or " ")
      end
      page:add(line)
    end
  end
  for _, finding in ipairs(bad) do
    witness_view(page, finding, room)
  end
end

local function proof_view(page, proofs, room)
  if not proofs or not proofs.findings then
    page:add("Proving for every match ...", "Comment")
    return
  end
  page:add("In every match", "Title")
  for _, it in ipairs(proofs.findings) do
    local says = it.verdict == "proved" and (it.vacuous == true and "✓ proved, but no match ever ends" or "✓ proved")
      or it.verdict == "refuted" and ("? not after %d rounds"):format(it.depth)
      or ("… open; no pair of up to %d rounds"):format(it.depth or 0)
    local group = it.verdict == "proved" and "DiagnosticOk" or it.verdict == "refuted" and "DiagnosticError" or "Comment"
    page:add(("  %-44s %s"):format(it.role .. " knows " .. PROPERTIES[it.property], says), group)
  end
  for _, it in ipairs(proofs.findings) do
    if it.witness then
      witness_view(page, vim.tbl_extend("force", it, { round = it.depth or 0 }), room)
    end
  end
end

--- The whole page for what is known now.
function M.view(model)
  local page = M.page()
  local step = model.step or {}
  for _, refusal in ipairs(step.refusals or {}) do
    page:add("This is no game yet: " .. refusal.message, "DiagnosticWarn", { kind = "open", location = refusal.location })
  end
  if model.error then
    page:add(model.error, "DiagnosticError")
  end
  if step.seat then
    page:add("e other eyes   h back   r random round   <CR> play, choose a cell   q close", "Comment")
    seat_view(page, step.seat, model.chosen or {})
    return page
  end
  local view = step.view
  if not view then
    if not model.error and #page.lines == 0 then
      page:add("Setting the game up ...", "Comment")
    end
    return page
  end
  local over = view.terminal and "  the match is over" or ""
  page:add(("Round %d of %d%s"):format(view.round, view.rounds, over), "Title")
  if type(step.ended) == "table" then
    page:add(("The rules have changed: round %d no longer fits (%s)"):format(step.ended.round, step.ended.why), "DiagnosticWarn")
  end
  page:add("h back   l on   r random round   s state   k knowledge   v verdict   p proof   e eyes   gr role   <CR> play, why   q close", "Comment")
  for _, round in ipairs(view.history) do
    local here = round.round == view.round
    page:add((here and "> " or "  ") .. ("%2d  %s"):format(round.round, short(round.moves)),
      here and "CursorLineNr" or (round.round > view.round and "Comment" or nil), { kind = "jump", at = round.round })
  end
  page:gap()
  if model.why then
    local why = model.why.why
    -- Of a fluent it is asked what made it so.
    local atom = why.atom:match("^%(next (.+)%)$") or why.atom:match("^%(init (.+)%)$") or why.atom
    page:add((why.holds and "Why " or "Why not ") .. atom, "Title")
    local since = model.why.since
    if since then
      local when = since == 0 and "  since the start" or ("  since round %d"):format(since)
      page:add(when .. (since < view.round and "; <CR> explains it there" or ""), "Comment",
        since < view.round and { kind = "why", question = { fluent = atom, at = since }, name = atom } or nil)
    end
    why_view(page, why, 2)
    page:gap()
  end
  if model.tab == "knowledge" then
    knowledge_view(page, step, model.infoset, model.beliefs)
  elseif model.tab == "verdict" then
    verdict_view(page, model.verdict, model.width)
  elseif model.tab == "proof" then
    proof_view(page, model.proofs, model.width)
  else
    state_view(page, step, model.picked, model.chosen or {})
  end
  return page
end

return M
