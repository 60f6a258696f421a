-- The split with a match in it: keeps the history, asks the server, follows the text.
local cells = require("percept.cells")
local match = require("percept.match")
local proposals = require("percept.proposals")
local render = require("percept.render")
local M = {}

local namespace = vim.api.nvim_create_namespace("percept.stepper")
-- After the last keystroke, before the match is replayed, in milliseconds.
local QUIET = 150

-- Per game (its URI) the open split.
local open = {}

local function client_of(buffer)
  return vim.lsp.get_clients({ name = "percept", bufnr = buffer })[1] or vim.lsp.get_clients({ name = "percept" })[1]
end

-- JSON null is vim.NIL, which is true in Lua; it is nothing here.
local function plain(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) == "table" then
    local copy = {}
    for key, inner in pairs(value) do
      copy[key] = plain(inner)
    end
    return copy
  end
  return value
end

-- Shades from unlikely to likely, as far as the colours of the editor have them.
for at, group in ipairs({ "CursorLine", "Folded", "Visual", "Search", "IncSearch" }) do
  vim.api.nvim_set_hl(0, ("PerceptShade%d"):format(at - 1), { link = group, default = true })
end

local function draw(self)
  if not vim.api.nvim_buf_is_valid(self.buffer) then
    return
  end
  local window = vim.fn.bufwinid(self.buffer)
  self.width = window > 0 and vim.api.nvim_win_get_width(window) or 80
  local page = render.view(self)
  self.actions = page.actions
  vim.bo[self.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(self.buffer, 0, -1, false, page.lines)
  vim.bo[self.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(self.buffer, namespace, 0, -1)
  for _, mark in ipairs(page.marks) do
    local line = page.lines[mark.row]
    vim.api.nvim_buf_set_extmark(self.buffer, namespace, mark.row - 1, mark.from or 0,
      { end_col = mark.to or #line, hl_group = mark.group })
  end
end

local function ask(self, command, argument, answer)
  local client = client_of(self.source)
  if not client then
    self.error = "the language server is not running; see :checkhealth percept"
    draw(self)
    return
  end
  argument.uri = self.uri
  local params = { command = command, arguments = { argument } }
  client:request("workspace/executeCommand", params, function(problem, result)
    -- The game was edited meanwhile: it is asked again anyway.
    local stale = problem and problem.code == vim.lsp.protocol.ErrorCodes.ContentModified
    self.error = problem and not stale and problem.message or nil
    answer(plain(result))
  end, self.source)
end

-- Where the match stands, as the server wants it.
local function about(self, more)
  return vim.tbl_extend("force", { history = self.history, at = self.at }, more or {})
end

-- `ready` is called once the players are known.
local function refresh(self, ready)
  self.asked = self.asked + 1
  local asked = self.asked
  local function fresh(take)
    return function(result)
      if asked == self.asked then
        take(result)
        draw(self)
      end
    end
  end
  if not self.step then
    draw(self)
  end
  ask(self, "percept.step", about(self, { role = self.eye }), fresh(function(step)
    self.step = step
    if step and step.view then
      self.players = step.view.roles
    end
    if not step or not step.view then
      return
    end
    if ready then
      vim.schedule(ready)
    end
    if not self.role then
      for _, role in ipairs(step.view.roles) do
        if not role.chance then
          self.role = role.name
          break
        end
      end
    end
    if self.tab == "knowledge" then
      self.infoset = nil
      self.beliefs = nil
      ask(self, "percept.infoset", about(self, { role = self.role, limit = 40 }), fresh(function(set)
        self.infoset = set
        ask(self, "percept.beliefs", about(self, { role = self.role }), fresh(function(beliefs)
          self.beliefs = beliefs
        end))
      end))
    elseif self.tab == "verdict" then
      self.verdict = nil
      local whole = { history = self.history, seconds = 20 }
      ask(self, "percept.observe", whole, fresh(function(verdict)
        self.verdict = verdict
      end))
    elseif self.tab == "proof" then
      self.proofs = nil
      ask(self, "percept.prove", { seconds = 20 }, fresh(function(proofs)
        self.proofs = proofs
      end))
    end
  end))
end

local function jump(self, at)
  local seat = self.step and self.step.seat
  local rounds = seat and #(self.history or {}) or self.step and self.step.view and self.step.view.rounds or 0
  self.chosen = {}
  self.at = math.max(0, math.min(at, rounds))
  self.picked = {}
  self.why = nil
  refresh(self)
end

local function play(self)
  local view = self.step and self.step.view
  if not view or view.terminal then
    return
  end
  local moves = {}
  for index, role in ipairs(view.roles) do
    local sole = #role.legal == 1 and role.legal[1] or nil
    moves[index] = self.picked[index] or sole or vim.NIL
  end
  self.seed = self.seed + 1
  self.why = nil
  ask(self, "percept.step", about(self, { choose = moves, seed = self.seed }), function(step)
    if step and step.view then
      self.history = vim.tbl_map(function(round)
        return round.moves
      end, step.view.history)
      self.at = step.view.round
      self.picked = {}
    end
    refresh(self)
  end)
end

-- A round at a seat: the role's own move, known to be legal; everybody else moves at random.
local function play_seated(self, name)
  local seat = self.step.seat
  local known = vim.tbl_filter(function(it) return it.chance >= 1 end, seat.legal)
  if #known == 0 then
    return
  end
  self.seed = self.seed + 1
  name = name or known[self.seed % #known + 1].name
  local moves = {}
  for index, role in ipairs(self.players or {}) do
    moves[index] = role.name == seat.role and name or vim.NIL
  end
  self.chosen = {}
  ask(self, "percept.step", about(self, { choose = moves, seed = self.seed }), function(step)
    if step and step.view then
      self.history = vim.tbl_map(function(round) return round.moves end, step.view.history)
      self.at = step.view.round
    end
    refresh(self)
  end)
end

local function pick(self, role, name)
  self.picked[role] = name
  local choices = 0
  for index, it in ipairs(self.step.view.roles) do
    if #it.legal > 1 and not (it.chance and index ~= role) then
      choices = choices + 1
    end
  end
  if choices == 1 then
    play(self)
  else
    draw(self)
  end
end

-- Shows a place of the text in another window than the split's.
local function show(location)
  local here = vim.api.nvim_get_current_win()
  vim.cmd("wincmd p")
  if vim.api.nvim_get_current_win() == here then
    vim.cmd("leftabove vsplit")
  end
  vim.lsp.util.show_document(location, "utf-8", { focus = true })
end

local function rules(self, name)
  ask(self, "percept.rules", { name = name }, function(result)
    local locations = result and result.locations or {}
    if #locations == 0 then
      return
    end
    if #locations > 1 then
      local client = client_of(self.source)
      local items = vim.lsp.util.locations_to_items(locations, client and client.offset_encoding or "utf-8")
      vim.fn.setloclist(0, {}, " ", { title = "Rules for " .. name, items = items })
    end
    show(locations[1])
  end)
end

-- Says why something holds; where nobody can, shows the rules instead.
local function why(self, action)
  local argument = about(self, action.question)
  ask(self, "percept.why", argument, function(result)
    if result and result.why then
      self.why = result
      draw(self)
    else
      self.error = nil
      rules(self, action.name)
    end
  end)
end

-- A cell of a board: the moves that name it stay; the only one that is left is made.
local function choose_cell(self, action)
  local cell = cells.at(action)
  if not cell then
    return
  end
  local chosen, found = cells.choose(self.step, self.chosen, cell)
  self.chosen = #found == 1 and {} or chosen
  if #found == 1 and self.step.seat then
    play_seated(self, found[1].name)
  elseif #found == 1 then
    pick(self, found[1].role, found[1].name)
  elseif #found == 0 and not self.step.seat and cell.fluents[1] then
    why(self, { question = { fluent = cell.fluents[1] }, name = cell.fluents[1] })
  else
    draw(self)
  end
end

-- Through the eyes of the next player; after the last one everything is shown again.
local function next_eye(self)
  local names = match.seats(self)
  local at = 0
  for index, name in ipairs(names) do
    if name == self.eye then
      at = index
    end
  end
  self.eye = names[at + 1]
  self.chosen = {}
  -- What was seen with other eyes is not for these.
  self.step, self.infoset, self.beliefs, self.verdict, self.why = nil, nil, nil, nil, nil
  refresh(self)
end

local tools = { ask = ask, draw = draw, about = about, why = why, show = show }

local function act(self)
  local action = self.actions[vim.api.nvim_win_get_cursor(0)[1]]
  if not action then
    return
  end
  if self.tab == "play" then
    if action.kind == "sit" then
      match.move(self, action.name, tools)
    elseif action.kind == "cell" then
      local cell = cells.at(action)
      if cell then
        match.cell(self, cell, tools)
      end
    end
    return
  end
  if action.kind == "jump" then
    jump(self, action.at)
  elseif action.kind == "pick" then
    pick(self, action.role, action.name)
  elseif action.kind == "play" then
    play(self)
  elseif action.kind == "seat" then
    play_seated(self, action.name)
  elseif action.kind == "pair" then
    proposals.pair(self, action.finding, tools)
  elseif action.kind == "repair" then
    proposals.repair(self, action, tools)
  elseif action.kind == "insert" then
    proposals.insert(self, action.edit, tools)
  elseif action.kind == "cell" then
    choose_cell(self, action)
  elseif action.kind == "why" then
    why(self, action)
  elseif action.kind == "open" and action.location then
    show(action.location)
  end
end

local function choose_role(self)
  local names = M.roles("")
  vim.ui.select(names, { prompt = "Role" }, function(name)
    if name then
      self.role = name
      self.tab = "knowledge"
      refresh(self)
    end
  end)
end

local function keys(self)
  local function map(key, action, what)
    vim.keymap.set("n", key, action, { buffer = self.buffer, nowait = true, desc = what })
  end
  local function tab(name)
    return function()
      if self.tab == "play" then
        match.leave(self, tools)
      end
      self.tab = name
      self.why = nil
      refresh(self)
    end
  end
  local function round()
    local place = self.step and (self.step.view or self.step.seat)
    return place and place.round or 0
  end
  local function go(step)
    if self.tab == "play" then
      match.go(self, step, tools)
    else
      jump(self, round() + step)
    end
  end
  map("h", function() go(-1) end, "one round back")
  map("l", function() go(1) end, "one round on")
  map("<", function() proposals.go(self, -1, tools) end, "one round back in pairs of histories")
  map(">", function() proposals.go(self, 1, tools) end, "one round on in pairs of histories")
  map("w", function()
    -- Reasons tell more than a role knows.
    if self.tab ~= "play" and not (self.step and self.step.seat) then
      proposals.ask(self, tools)
    end
  end, "why anything holds, or does not")
  map("m", function() match.begin(self, tools) end, "play from a seat")
  map("x", function() match.give_up(self, tools) end, "give up the match that is played")
  map("r", function()
    if self.tab == "play" then
      match.move(self, nil, tools)
      return
    end
    self.picked = {}
    if self.step and self.step.seat then
      play_seated(self)
    else
      play(self)
    end
  end, "a random round")
  map("e", function() next_eye(self) end, "through the eyes of the next player")
  map("<Esc>", function() self.chosen = {} draw(self) end, "forget the chosen cells")
  map("s", tab("state"), "the state")
  map("k", tab("knowledge"), "what a role can know")
  map("v", tab("verdict"), "the verdict")
  map("p", tab("proof"), "what holds in every match")
  map("gr", function() choose_role(self) end, "choose the role")
  map("q", "<cmd>close<cr>", "close")
  map("<CR>", function() act(self) end, "do what the line says")
end

-- Replays the match when one of the game's buffers changes.
local function follow(self)
  local timer = assert(vim.uv.new_timer())
  local group = vim.api.nvim_create_augroup("percept.stepper." .. self.buffer, { clear = true })
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, {
    group = group,
    callback = function(event)
      local uri = vim.uri_from_bufnr(event.buf)
      local files = self.step and self.step.files or {}
      if uri == self.uri or vim.tbl_contains(files, uri) then
        timer:start(QUIET, 0, vim.schedule_wrap(function()
          self.why, self.repairs, self.pairs = nil, nil, nil
          refresh(self)
        end))
      end
    end,
  })
  -- What stands side by side has another width now.
  vim.api.nvim_create_autocmd("WinResized", {
    group = group,
    callback = function()
      draw(self)
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    group = group,
    buffer = self.buffer,
    callback = function()
      timer:close()
      open[self.uri] = nil
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
end

-- The split of a game or trace, opened beside the current window where there is none yet.
local function split_of(uri, source)
  local self = open[uri]
  if not self then
    local buffer = vim.api.nvim_create_buf(false, true)
    self = { uri = uri, source = source, buffer = buffer, picked = {}, actions = {}, asked = 0, seed = os.time() }
    open[uri] = self
    vim.bo[buffer].bufhidden = "wipe"
    vim.bo[buffer].filetype = "percept-stepper"
    vim.api.nvim_buf_set_name(buffer, "percept://" .. vim.fs.basename(vim.uri_to_fname(uri)))
    -- The cursor goes there: what the keys do is written on the page, and in the source they would edit the game.
    local window = vim.api.nvim_open_win(buffer, true, { split = "right", win = 0 })
    vim.wo[window].number = false
    vim.wo[window].relativenumber = false
    vim.wo[window].wrap = false
    keys(self)
    follow(self)
  else
    local window = vim.fn.bufwinid(self.buffer)
    if window > 0 then
      vim.api.nvim_set_current_win(window)
    end
  end
  return self
end

--- Opens the split for the game or trace in the current buffer, at a view: state, knowledge, verdict or proof; with
--- `plays` a match is begun there.
function M.open(tab, role, plays)
  local source = vim.api.nvim_get_current_buf()
  local uri = vim.uri_from_bufnr(source)
  for _, known in pairs(open) do
    if known.buffer == source then
      uri = known.uri
    end
  end
  local self = split_of(uri, source)
  self.tab = tab
  self.role = role or self.role
  refresh(self, plays and function()
    match.begin(self, tools)
  end)
end

--- Opens the split at the end of a match: `match.uri` is the game, `match.history` its rounds, a move per role each.
function M.open_at(match)
  local self = split_of(match.uri, vim.api.nvim_get_current_buf())
  self.tab = "state"
  self.history = match.history
  self.at = match.at
  self.picked = {}
  self.why = nil
  refresh(self)
end

--- The names of the roles of the game in the current buffer, as far as they are known.
function M.roles(lead)
  local buffer = vim.api.nvim_get_current_buf()
  local uri = vim.uri_from_bufnr(buffer)
  local names = {}
  for _, known in pairs(open) do
    if known.uri == uri or known.buffer == buffer then
      for _, role in ipairs(known.step and known.step.view and known.step.view.roles or {}) do
        if not role.chance and vim.startswith(role.name, lead or "") then
          table.insert(names, role.name)
        end
      end
    end
  end
  return names
end

--- For tests: the split of a buffer.
function M.of(buffer)
  return open[vim.uri_from_bufnr(buffer)]
end

return M
