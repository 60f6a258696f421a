-- Cells of boards: the one under the cursor, and the moves that name the chosen ones.
local board = require("percept.board")
local M = {}

--- The cell of a board that the cursor is on.
function M.at(action)
  local column = vim.api.nvim_win_get_cursor(0)[2]
  for _, place in ipairs(action.cells) do
    if column >= place.from and column < place.to then
      return place.cell
    end
  end
end

-- The moves of a step that name these cells in this order, each with its role's index (nil at a seat) and its name.
local function candidates(step, chosen)
  local found = {}
  if step.seat then
    for _, it in ipairs(step.seat.legal) do
      if it.chance >= 1 and board.names_all(it.places, chosen) then
        table.insert(found, { name = it.name })
      end
    end
    return found
  end
  for index, role in ipairs(step.view.roles) do
    for at, name in ipairs(role.legal) do
      if board.names_all(role.places and role.places[at], chosen) then
        table.insert(found, { role = index, name = name })
      end
    end
  end
  return found
end

--- The chosen cells including this one, and the moves that name them.
function M.choose(step, chosen, cell)
  local both = vim.list_extend(vim.deepcopy(chosen or {}), { cell.place })
  local found = candidates(step, both)
  if #found > 0 then
    return both, found
  end
  found = candidates(step, { cell.place })
  return #found > 0 and { cell.place } or {}, found
end

return M
