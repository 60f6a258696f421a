-- The knowledge of one role, as lines of text.
local board = require("percept.board")
local M = {}

--- Shows only the knowledge of one role.
--- `moves`: the possible moves, if they differ from those known to be legal; `kind`: the action of <CR> on a move.
function M.view(page, seat, chosen, moves, kind)
  local over = { yes = "the match is over", no = "the match goes on", unknown = "it does not know whether the match is over",
    undecided = "its knowledge of the end was not determined in time" }
  page:add(("Knowledge of %s after round %d: %s"):format(seat.role, seat.round, over[seat.over]), "Title")
  if seat.goals then
    page:add("  goal " .. table.concat(seat.goals, ", "))
  end
  for _, it in ipairs(seat.history) do
    page:add(("  %2d  %-24s  %s"):format(it.round, it.move or "?", #it.percepts > 0 and table.concat(it.percepts, " ") or "nothing"),
      nil, { kind = "jump", at = it.round })
  end
  page:gap()
  board.boards(page, seat.boards, seat.legend, true)
  for _, name in ipairs(seat.certain) do
    page:add("  " .. name)
  end
  board.bars(page, seat.possible, seat.exact)
  local fits = (seat.histories == "1" or seat.histories == "at least 1") and "history fits" or "histories look the same"
  page:add(("  %s %s%s"):format(seat.histories, fits, seat.exact and "" or "; probabilities are estimates"), "Comment")
  page:gap()
  page:add("Moves" .. (#chosen > 0 and " that name " .. table.concat(chosen, ", ") or ""), "Title")
  for _, it in ipairs(seat.legal) do
    local can = moves and vim.tbl_contains(moves, it.name)
    if it.chance < 1 and not can then
      page:add(("  ? %s  (%.0f %%)"):format(it.name, it.chance * 100), "Comment")
    elseif (not moves or can) and board.names_all(it.places, chosen) then
      page:add("  ○ " .. it.name, nil, { kind = kind or "seat", name = it.name })
    end
  end
end

return M
