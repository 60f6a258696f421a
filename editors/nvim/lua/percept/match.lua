-- Playing from a seat against other players. Only the role's knowledge is shown; after the end the whole match is revealed.
local board = require("percept.board")
local seat = require("percept.seat")
local M = {}

local STRATEGIES = { "auto", "ismcts", "choosemove", "sampling", "uct", "grave", "cfr", "mac-ucb-ii", "equilibrium", "table", "random", "legal" }

local ENDED = { over = "The match is over.", stuck = "A role has no move: the match ends here.",
  ["too-long"] = "The match was too long.", ["given-up"] = "You gave up." }

-- Shows a finished match after some rounds: the true state, and the beliefs of the role.
local function review(self, at, tools)
  local sitting = self.sitting
  at = math.max(0, math.min(at, #sitting.record.history))
  local argument = { history = sitting.record.history, at = at }
  tools.ask(self, "percept.step", vim.deepcopy(argument), function(step)
    argument.role = sitting.role
    tools.ask(self, "percept.step", argument, function(believed)
      if step and step.view and believed and believed.seat then
        self.truth = { at = at, view = step.view, seat = believed.seat }
      end
      tools.draw(self)
    end)
  end)
end

-- Makes one step; the server waits for the other players.
local function sit(self, argument, tools)
  self.waits = true
  tools.draw(self)
  tools.ask(self, "percept.match", argument, function(sitting)
    self.waits = false
    self.chosen = {}
    if sitting and sitting.match then
      self.sitting = sitting
    elseif sitting and sitting.refusals then
      self.error = sitting.refusals[1] and sitting.refusals[1].message
    end
    tools.draw(self)
    if sitting and sitting.record then
      review(self, #sitting.record.history, tools)
    end
  end)
end

--- The roles that can be played.
function M.seats(self)
  local names = {}
  for _, role in ipairs(self.players or {}) do
    if not role.chance then
      table.insert(names, role.name)
    end
  end
  return names
end

--- Asks for a seat and the others' strategies, and begins.
function M.begin(self, tools)
  local names = M.seats(self)
  if #names == 0 then
    return
  end
  vim.ui.select(names, { prompt = "Your seat" }, function(name)
    if not name then
      return
    end
    local players = {}
    local others = vim.tbl_filter(function(it) return it ~= name end, names)
    local function next_one(at)
      local other = others[at]
      if not other then
        self.tab, self.sitting, self.truth = "play", nil, nil
        sit(self, { action = "start", role = name, players = next(players) and players or vim.empty_dict() }, tools)
        return
      end
      vim.ui.select(STRATEGIES, { prompt = other .. " is played by" }, function(strategy)
        if strategy then
          players[other] = strategy
          next_one(at + 1)
        end
      end)
    end
    next_one(1)
  end)
end

--- Makes a move; `nil` makes a random one.
function M.move(self, name, tools)
  local sitting = self.sitting
  if not sitting or sitting.record or self.waits or sitting.turn ~= "you" then
    return
  end
  sit(self, { action = "move", match = sitting.match, move = name or vim.NIL }, tools)
end

function M.give_up(self, tools)
  if self.sitting and not self.sitting.record then
    sit(self, { action = "giveUp", match = self.sitting.match }, tools)
  end
end

--- Back to stepping.
function M.leave(self, tools)
  if self.sitting then
    tools.ask(self, "percept.match", { action = "leave", match = self.sitting.match }, function() end)
  end
  self.sitting, self.truth, self.tab = nil, nil, "state"
end

--- Goes one round forward or back in a finished match.
function M.go(self, step, tools)
  if self.truth then
    review(self, self.truth.at + step, tools)
  end
end

--- Handles a cell of a board: keeps the moves that name it; if only one is left, makes it.
function M.cell(self, cell, tools)
  local sitting = self.sitting
  if not sitting or not sitting.seat or sitting.record then
    return
  end
  local function fitting(chosen)
    return vim.tbl_filter(function(it)
      return vim.tbl_contains(sitting.moves or {}, it.name) and board.names_all(it.places, chosen)
    end, sitting.seat.legal)
  end
  local chosen = vim.list_extend(vim.deepcopy(self.chosen or {}), { cell.place })
  local found = fitting(chosen)
  if #found == 0 then
    chosen = { cell.place }
    found = fitting(chosen)
  end
  if #found == 1 then
    M.move(self, found[1].name, tools)
    return
  end
  self.chosen = #found > 0 and chosen or {}
  tools.draw(self)
end

-- Required late, because `render` also requires this module.
local function keys(...)
  require("percept.render").keys(...)
end

-- The true state, and below it the beliefs of the role.
local function opened(page, model)
  local record, truth = model.sitting.record, model.truth
  local goals = {}
  for name, goal in pairs(record.goals) do
    table.insert(goals, name .. " " .. tostring(goal))
  end
  table.sort(goals)
  page:add((ENDED[record.ended] or record.ended) .. "  Goals: " .. table.concat(goals, ", "), "Title")
  keys(page, "h back   l on   m another match   s stepping   q close", model.width)
  for _, it in ipairs(record.errors or {}) do
    page:add(("  round %s, %s: %s (%s)"):format(it.round, it.role, it.kind, it.detail), "DiagnosticWarn")
  end
  if not truth then
    return
  end
  page:gap()
  page:add(("After round %d of %d"):format(truth.at, #record.history), "Title")
  page:add("True state", "Title")
  local drawn = board.boards(page, truth.view.state.boards, truth.view.state.legend, false)
  for _, group in ipairs(truth.view.state.groups) do
    for _, name in ipairs(group.fluents) do
      if not drawn[name] then
        page:add("  " .. name)
      end
    end
  end
  -- A role that saw every move has true beliefs, but the rules as written do not show this.
  if not model.sitting.allSeen then
    page:gap()
    seat.view(page, truth.seat, {}, {})
  end
end

--- The page while a match is played, and after it.
function M.view(page, model)
  local sitting = model.sitting
  if not sitting or not sitting.match then
    page:add(model.waits and "The other players are starting ..." or "m begins a match   s back to stepping", "Comment")
    return
  end
  if sitting.record then
    opened(page, model)
    return
  end
  local others = {}
  for name, strategy in pairs(sitting.players or {}) do
    if name ~= sitting.role then
      table.insert(others, name .. ": " .. strategy)
    end
  end
  table.sort(others)
  page:add("You are " .. sitting.role .. (#others > 0 and ("   (%s)"):format(table.concat(others, ", ")) or ""), "Title")
  keys(page, "<CR> move, choose a cell   r random move   x give up   <C-c> stop waiting   q close", model.width)
  if sitting.changed then
    page:add("The game's text has changed. This match continues with its original rules.", "DiagnosticWarn")
  end
  if sitting.allSeen then
    page:add("This game has no rule for `sees`: it is played as plain GDL, and all roles see every move.", "Comment")
  end
  local mine = sitting.turn == "you" and not model.waits
  page:add(mine and "It is your turn." or "The other players are thinking ...", mine and "String" or "Comment")
  if sitting.seat then
    page:gap()
    seat.view(page, sitting.seat, model.chosen or {}, mine and sitting.moves or {}, "sit")
  end
end

return M
