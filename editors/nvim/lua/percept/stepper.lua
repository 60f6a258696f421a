-- The split with a match: keeps the history, shows the server's answers, follows edits of the text.
local asking = require("percept.asking")
local cells = require("percept.cells")
local match = require("percept.match")
local moves = require("percept.moves")
local proposals = require("percept.proposals")
local render = require("percept.render")
local M = {}

local namespace = vim.api.nvim_create_namespace("percept.stepper")
-- The delay between the last keystroke and the replay of the match, in milliseconds.
local QUIET = 150
-- The time limit for proofs of certain facts in a large game, in seconds.
local PROVING = 4

-- The open split of each game, by its URI.
local open = {}

-- Shades from unlikely to likely, each more prominent than the one before; no five groups of all colour schemes have this order.
-- A scheme that defines these groups is left alone.
local SHADES = {
  dark = { { "#1f2a3a", 235 }, { "#26405f", 238 }, { "#2f5a8c", 24 }, { "#3a78ba", 25 }, { "#4f9be8", 32 } },
  light = { { "#eaf2fb", 255 }, { "#cfe2f6", 195 }, { "#a9cbee", 153 }, { "#7db0e4", 117 }, { "#4f94d8", 75 } },
}
local function shades()
  local dark = vim.o.background == "dark"
  for at, shade in ipairs(dark and SHADES.dark or SHADES.light) do
    local colours = { bg = shade[1], ctermbg = shade[2], default = true }
    colours.fg, colours.ctermfg = dark and "#ffffff" or "#000000", dark and 15 or 0
    vim.api.nvim_set_hl(0, ("PerceptShade%d"):format(at - 1), colours)
  end
end
shades()
vim.api.nvim_create_autocmd("ColorScheme", { group = vim.api.nvim_create_augroup("percept_shades", {}), callback = shades })

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

-- The messages shown during requests.
local TITLES = {
  ["percept.step"] = "Setting the game up",
  ["percept.infoset"] = "Looking for histories",
  ["percept.beliefs"] = "Computing probabilities",
  ["percept.observe"] = "Checking every role's knowledge",
  ["percept.prove"] = "Proving for every match",
  ["percept.repair"] = "Looking for missing percepts",
  ["percept.match"] = "Waiting for the other players",
  ["percept.why"] = "Looking for the reason",
}

local function ask(self, command, argument, answer, replaceable, says)
  argument.uri = self.uri
  local title = says or command == "percept.step" and self.step and "Replaying the match" or TITLES[command]
  asking.request(self, self.source, command, argument, function(problem, result)
    self.error = problem
    answer(result)
    if problem then
      draw(self)
    end
  end, title, replaceable)
end

-- The place in the match, in the server's format.
local function about(self, more)
  return vim.tbl_extend("force", { history = self.history, at = self.at }, more or {})
end

-- `ready` is called once the players are known.
local function refresh(self, ready)
  self.requests = self.requests + 1
  local request = self.requests
  asking.replace(self)
  local function fresh(take)
    return function(result)
      if request == self.requests then
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
      -- The picture first, then the histories behind it; last the proofs of certain facts.
      ask(self, "percept.beliefs", about(self, { role = self.role }), fresh(function(beliefs)
        self.beliefs = beliefs
        ask(self, "percept.infoset", about(self, { role = self.role, limit = 40 }), fresh(function(set)
          self.infoset = set
          if beliefs and beliefs.exact == false then
            ask(self, "percept.beliefs", about(self, { role = self.role, seconds = PROVING }), fresh(function(sure)
              self.beliefs = sure or beliefs
            end), true, "Proving certain facts")
          end
        end), true)
      end), true)
    elseif self.tab == "verdict" then
      self.verdict = nil
      local whole = { history = self.history, seconds = 20 }
      ask(self, "percept.observe", whole, fresh(function(verdict)
        self.verdict = verdict
      end), true)
    elseif self.tab == "proof" then
      self.proofs = nil
      ask(self, "percept.prove", { seconds = 20 }, fresh(function(proofs)
        self.proofs = proofs
      end), true)
    end
  end), true)
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
      local client = asking.client_of(self.source)
      local items = vim.lsp.util.locations_to_items(locations, client and client.offset_encoding or "utf-8")
      vim.fn.setloclist(0, {}, " ", { title = "Rules for " .. name, items = items })
    end
    show(locations[1])
  end)
end

-- Explains an atom, or shows its rules if an explanation is not possible.
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

-- Switches to the view of the next player; after the last one the whole state is shown again.
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
  -- Results from another point of view must not be shown here.
  self.step, self.infoset, self.beliefs, self.verdict, self.why = nil, nil, nil, nil, nil
  refresh(self)
end

local tools = { ask = ask, draw = draw, about = about, why = why, show = show, refresh = refresh }

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
    moves.jump(self, action.at, tools)
  elseif action.kind == "pick" then
    moves.pick(self, action.role, action.name, tools)
  elseif action.kind == "play" then
    moves.play(self, tools)
  elseif action.kind == "seat" then
    moves.play_seated(self, action.name, tools)
  elseif action.kind == "pair" then
    proposals.pair(self, action.finding, tools)
  elseif action.kind == "repair" then
    proposals.repair(self, action, tools)
  elseif action.kind == "insert" then
    proposals.insert(self, action.edits, tools)
  elseif action.kind == "cell" then
    moves.choose_cell(self, action, tools)
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
      moves.jump(self, round() + step, tools)
    end
  end
  map("h", function() go(-1) end, "one round back")
  map("l", function() go(1) end, "one round on")
  map("<", function() proposals.go(self, -1, tools) end, "one round back in pairs of histories")
  map(">", function() proposals.go(self, 1, tools) end, "one round on in pairs of histories")
  map("w", function()
    -- Explanations would reveal more than the role knows.
    if self.tab ~= "play" and not (self.step and self.step.seat) then
      proposals.ask(self, tools)
    end
  end, "why an atom holds, or does not")
  map("m", function() match.begin(self, tools) end, "play from a seat")
  map("x", function() match.give_up(self, tools) end, "give up the current match")
  map("r", function()
    if self.tab == "play" then
      match.move(self, nil, tools)
      return
    end
    moves.by_lot(self, tools)
  end, "a random round")
  map("e", function() next_eye(self) end, "the view of the next player")
  map("<Esc>", function() self.chosen = {} draw(self) end, "clear the chosen cells")
  map("s", tab("state"), "the state")
  map("k", tab("knowledge"), "the knowledge of a role")
  map("v", tab("verdict"), "the verdict")
  map("p", tab("proof"), "the verdict on every match")
  map("gr", function() choose_role(self) end, "choose the role")
  map("<C-c>", function()
    if not asking.stop(self) then
      vim.notify("Percept: nothing is running")
    end
  end, "stop the current work")
  map("q", "<cmd>close<cr>", "close")
  map("<CR>", function() act(self) end, "act on the line")
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
  -- The columns side by side depend on the width.
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
      asking.stop(self)
      timer:close()
      open[self.uri] = nil
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
end

-- The split of a game or trace, opened beside the current window if it does not exist yet.
local function split_of(uri, source)
  local self = open[uri]
  if not self then
    local buffer = vim.api.nvim_create_buf(false, true)
    self = { uri = uri, source = source, buffer = buffer, picked = {}, actions = {}, requests = 0, seed = os.time() }
    open[uri] = self
    vim.bo[buffer].bufhidden = "wipe"
    vim.bo[buffer].filetype = "percept-stepper"
    vim.api.nvim_buf_set_name(buffer, "percept://" .. vim.fs.basename(vim.uri_to_fname(uri)))
    -- The cursor moves there, because the page explains its keys; in the source they would edit the game.
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

--- Opens the split for the game or trace in the current buffer with a view: state, knowledge, verdict or proof. With
--- `plays` a match begins there.
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

--- Opens the split at the end of a match: `match.uri` is the game, `match.history` its rounds with one move per role.
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
