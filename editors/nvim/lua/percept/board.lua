-- Boards as lines of text, and bars for uncertain facts.
local M = {}

function M.width(text)
  return vim.fn.strdisplaywidth(text)
end

function M.center(text, size)
  local left = math.floor((size - M.width(text)) / 2)
  return string.rep(" ", left) .. text .. string.rep(" ", size - M.width(text) - left)
end

-- A board as a grid; <CR> on a cell chooses the moves that name it, so the page keeps the places of its cells.
local function board(page, it, asks, differs)
  local size = 1
  local head = 0
  for _, name in ipairs(it.columns) do
    size = math.max(size, M.width(name))
  end
  for _, name in ipairs(it.rows) do
    head = math.max(head, M.width(name))
  end
  for _, row in ipairs(it.cells) do
    for _, cell in ipairs(row) do
      size = math.max(size, M.width(cell.sign))
    end
  end
  local indent = string.rep(" ", head + 2)
  page:add("  " .. it.title, "Comment")
  local names = vim.tbl_map(function(name)
    return M.center(name, size + 2)
  end, it.columns)
  page:add(indent .. " " .. table.concat(names, " "), "Comment")
  local rule = indent .. "+" .. string.rep(string.rep("-", size + 2) .. "+", #it.columns)
  page:add(rule, "NonText")
  for at, row in ipairs(it.cells) do
    local name = it.rows[at]
    local line = " " .. string.rep(" ", head - M.width(name)) .. name .. " |"
    local cells = {}
    for column, cell in ipairs(row) do
      local marked = differs and differs(at, column)
      local text = M.center(marked and "[" .. cell.sign .. "]" or cell.sign, size + 2)
      local shade = marked and "DiagnosticWarn" or cell.share and ("PerceptShade%d"):format(math.min(4, math.floor(cell.share * 5))) or nil
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

--- Boards with their legend; returns the set of drawn fluents.
--- `differs(row, column)` is true for a cell to mark.
function M.boards(page, all, legend, asks, differs)
  local drawn = {}
  for _, it in ipairs(all or {}) do
    board(page, it, asks, differs)
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

-- A bar of ten characters for each uncertain fact.
function M.bars(page, beliefs, exact, drawn)
  for _, it in ipairs(beliefs or {}) do
    if it.probability < 1 and not (drawn and drawn[it.fluent]) then
      local filled = math.floor(it.probability * 10 + 0.5)
      local bar = string.rep("█", filled) .. string.rep("·", 10 - filled)
      local err = exact and "" or (" ± %.1f"):format(it.error * 100)
      page:add(("  %s %5.1f %%%s  %s"):format(bar, it.probability * 100, err, it.fluent))
    end
  end
end

--- True if a move with these places names the chosen cells, in their order.
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

return M
