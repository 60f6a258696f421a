-- Moves of the match in the split: chosen from the list, on a board or at random, for all roles or at a role's seat.
local cells = require("percept.cells")
local M = {}

-- Sends a joint move (nil: random) and shows the result.
local function send(self, moves, tools)
  self.seed = self.seed + 1
  tools.ask(self, "percept.step", tools.about(self, { choose = moves, seed = self.seed }), function(step)
    if step and step.view then
      self.history = vim.tbl_map(function(round) return round.moves end, step.view.history)
      self.at = step.view.round
      self.picked = {}
    end
    tools.refresh(self)
  end)
end

--- Goes to a round.
function M.jump(self, at, tools)
  local seat = self.step and self.step.seat
  local rounds = seat and #(self.history or {}) or self.step and self.step.view and self.step.view.rounds or 0
  self.chosen = {}
  self.at = math.max(0, math.min(at, rounds))
  self.picked = {}
  self.why = nil
  tools.refresh(self)
end

--- Plays a round: the picked moves, and random ones for the other roles.
function M.play(self, tools)
  local view = self.step and self.step.view
  if not view or view.terminal then
    return
  end
  local moves = {}
  for index, role in ipairs(view.roles) do
    local sole = #role.legal == 1 and role.legal[1] or nil
    moves[index] = self.picked[index] or sole or vim.NIL
  end
  self.why = nil
  send(self, moves, tools)
end

--- Plays a round at a seat: the role's own move, known to be legal (nil: random); all other roles move at random.
function M.play_seated(self, name, tools)
  local seat = self.step.seat
  local certain = vim.tbl_filter(function(it) return it.chance >= 1 end, seat.legal)
  if #certain == 0 then
    return
  end
  name = name or certain[(self.seed + 1) % #certain + 1].name
  local moves = {}
  for index, role in ipairs(self.players or {}) do
    moves[index] = role.name == seat.role and name or vim.NIL
  end
  self.chosen = {}
  send(self, moves, tools)
end

--- Plays a random round, for all roles or at the seat.
function M.by_lot(self, tools)
  self.picked = {}
  if self.step and self.step.seat then
    M.play_seated(self, nil, tools)
  else
    M.play(self, tools)
  end
end

--- Picks the move of a role, by its index; if no other role has a choice, plays the round.
function M.pick(self, role, name, tools)
  self.picked[role] = name
  local choices = 0
  for index, it in ipairs(self.step.view.roles) do
    if #it.legal > 1 and not (it.chance and index ~= role) then
      choices = choices + 1
    end
  end
  if choices == 1 then
    M.play(self, tools)
  else
    tools.draw(self)
  end
end

--- Handles a cell of a board: keeps the moves that name it; if only one is left, makes it.
function M.choose_cell(self, action, tools)
  local cell = cells.at(action)
  if not cell then
    return
  end
  local chosen, found = cells.choose(self.step, self.chosen, cell)
  self.chosen = #found == 1 and {} or chosen
  if #found == 1 and self.step.seat then
    M.play_seated(self, found[1].name, tools)
  elseif #found == 1 then
    M.pick(self, found[1].role, found[1].name, tools)
  elseif #found == 0 and not self.step.seat and cell.fluents[1] then
    tools.why(self, { question = { fluent = cell.fluents[1] }, name = cell.fluents[1] })
  else
    tools.draw(self)
  end
end

return M
