-- The split with a match: shows the server's pages, sends keys back, follows edits of the text.
local asking = require("percept.asking")
local M = {}

local namespace = vim.api.nvim_create_namespace("percept.stepper")
-- The delay between the last keystroke and the replay of the match, in milliseconds.
local QUIET = 150

-- The open split of each game, by its URI.
local open = {}

-- The highlight groups of the server's marks.
local GROUPS = {
  title = "Title", quiet = "Comment", good = "DiagnosticOk", bad = "DiagnosticError", warn = "DiagnosticWarn",
  button = "Function", here = "CursorLineNr", picked = "String", percept = "Special", chosen = "Visual",
}

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

local function groups(piece)
  local found = vim.tbl_map(function(mark) return GROUPS[mark] end, piece.marks or {})
  if piece.share then
    table.insert(found, ("PerceptShade%d"):format(math.min(4, math.floor(piece.share * 5))))
  end
  return found
end

local press

local function draw(self)
  if not vim.api.nvim_buf_is_valid(self.buffer) then
    return
  end
  local texts, marks = {}, {}
  self.lines = self.error and { { { text = self.error, marks = { "bad" } } } } or {}
  vim.list_extend(self.lines, self.page and self.page.lines or {})
  for row, pieces in ipairs(self.lines) do
    local text = ""
    for _, piece in ipairs(pieces) do
      piece.from = #text
      text = text .. piece.text
      for _, group in ipairs(groups(piece)) do
        table.insert(marks, { row - 1, piece.from, #text, group })
      end
    end
    table.insert(texts, text)
  end
  vim.bo[self.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(self.buffer, 0, -1, false, texts)
  vim.bo[self.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(self.buffer, namespace, 0, -1)
  for _, it in ipairs(marks) do
    vim.api.nvim_buf_set_extmark(self.buffer, namespace, it[1], it[2], { end_col = it[3], hl_group = it[4] })
  end
  self.keys = {}
  for _, it in ipairs(self.page and self.page.keys or {}) do
    self.keys[it.key] = it.action
    vim.keymap.set("n", it.key, function() press(self, self.keys[it.key]) end, { buffer = self.buffer, nowait = true, desc = it.says })
  end
end

-- The choices of the open question, for completion.
local choices = {}

function M.complete(lead)
  return vim.tbl_filter(function(it) return it:find(lead, 1, true) end, choices)
end

-- Puts a question to the reader.
local function question(self, ask)
  local function answer(text)
    if text and vim.trim(text) ~= "" then
      press(self, ask.action, text)
    end
  end
  if ask.typed then
    choices = ask.choices
    vim.ui.input({ prompt = ask.prompt, completion = "customlist,v:lua.require'percept.stepper'.complete" }, answer)
  else
    vim.ui.select(ask.choices, { prompt = ask.prompt }, answer)
  end
end

-- Requests the page after a command, and then its missing parts.
local function send(self, more, title)
  asking.replace(self)
  local window = vim.fn.bufwinid(self.buffer)
  local width = window > 0 and vim.api.nvim_win_get_width(window) or 80
  local argument = vim.tbl_extend("force", { uri = self.uri, session = self.session, width = width }, more)
  asking.request(self, self.source, "percept.page", argument, function(problem, answer)
    self.error = problem
    if answer then
      self.page, self.session, self.files, self.roles = answer.page, answer.session, answer.files, answer.roles
    end
    draw(self)
    if answer and answer.ask then
      vim.schedule(function() question(self, answer.ask) end)
    elseif answer and answer.more then
      send(self, { wait = true }, answer.more)
    end
  end, title or self.page and "Replaying the match" or "Setting the game up", true)
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

-- Inserts lines into the text, and shows the first.
local function insert(self, edits)
  local client = asking.client_of(self.source)
  local changes = {}
  for _, edit in ipairs(edits) do
    changes[edit.uri] = changes[edit.uri] or {}
    table.insert(changes[edit.uri], { range = edit.range, newText = edit.newText })
  end
  for uri, texts in pairs(changes) do
    vim.lsp.util.apply_text_edits(texts, vim.uri_to_bufnr(uri), client and client.offset_encoding or "utf-16")
  end
  local start = edits[1].range.start
  show({ uri = edits[1].uri, range = { start = start, ["end"] = start } })
  -- Neovim triggers no event for a change in a buffer without a window.
  send(self, { command = '"reread"' })
end

function press(self, action, text)
  if not action then
    return
  elseif action.open then
    show(action.open)
  elseif action.insert then
    insert(self, action.insert)
  else
    send(self, { command = action.send, text = text })
  end
end

-- Acts on the text under the cursor.
local function act(self)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  for _, piece in ipairs(self.lines[row] or {}) do
    if column >= piece.from and column < piece.from + #piece.text then
      press(self, piece.action)
    end
  end
end

-- Replays the match when one of the game's buffers changes.
local function follow(self)
  local timer = assert(vim.uv.new_timer())
  local group = vim.api.nvim_create_augroup("percept.stepper." .. self.buffer, { clear = true })
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, {
    group = group,
    callback = function(event)
      local uri = vim.uri_from_bufnr(event.buf)
      if uri == self.uri or vim.tbl_contains(self.files or {}, uri) then
        timer:start(QUIET, 0, vim.schedule_wrap(function()
          send(self, { command = '"reread"' })
        end))
      end
    end,
  })
  -- The columns side by side depend on the width.
  vim.api.nvim_create_autocmd("WinResized", {
    group = group,
    callback = function()
      if vim.tbl_contains(vim.v.event.windows or {}, vim.fn.bufwinid(self.buffer)) then
        send(self, {})
      end
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
  if self then
    local window = vim.fn.bufwinid(self.buffer)
    if window > 0 then
      vim.api.nvim_set_current_win(window)
    end
    return self
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  self = { uri = uri, source = source, buffer = buffer, lines = {}, keys = {} }
  open[uri] = self
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].filetype = "percept-stepper"
  vim.api.nvim_buf_set_name(buffer, "percept://" .. vim.fs.basename(vim.uri_to_fname(uri)))
  -- The cursor moves there, because the page explains its keys; in the source they would edit the game.
  local window = vim.api.nvim_open_win(buffer, true, { split = "right", win = 0 })
  vim.wo[window].number = false
  vim.wo[window].relativenumber = false
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  vim.wo[window].breakindent = true
  local function map(key, action, what)
    vim.keymap.set("n", key, action, { buffer = buffer, nowait = true, desc = what })
  end
  map("<C-c>", function()
    if not asking.stop(self) then
      vim.notify("Percept: nothing is running")
    end
  end, "stop the current work")
  map("q", "<cmd>close<cr>", "close")
  map("<CR>", function() act(self) end, "act on the text under the cursor")
  follow(self)
  return self
end

-- The split that belongs to the current buffer: that of its game, or itself.
local function current()
  local buffer = vim.api.nvim_get_current_buf()
  for _, known in pairs(open) do
    if known.buffer == buffer then
      return known
    end
  end
  return open[vim.uri_from_bufnr(buffer)]
end

--- Opens the split for the game or trace in the current buffer with a part: state, knowledge, verdict or proof. With
--- `plays` a match begins there.
function M.open(tab, role, plays)
  local source = vim.api.nvim_get_current_buf()
  local known = current()
  local self = split_of(known and known.uri or vim.uri_from_bufnr(source), source)
  if role then
    send(self, { command = '"know"', text = role })
  else
    send(self, { command = plays and '"sit"' or vim.json.encode({ tab = tab }) })
  end
end

--- Opens the split at the end of a match: `match.uri` is the game, `match.history` its rounds with one move per role.
function M.open_at(match)
  local self = split_of(match.uri, vim.api.nvim_get_current_buf())
  self.session = vim.json.encode({ history = match.history, at = match.at })
  send(self, {})
end

--- The names of the roles of the game in the current buffer, as far as they are known.
function M.roles(lead)
  local known = current()
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead or "")
  end, known and known.roles or {})
end

--- For tests: the split of a buffer.
function M.of(buffer)
  return open[vim.uri_from_bufnr(buffer)]
end

return M
