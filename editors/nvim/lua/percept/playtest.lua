-- A table for people: starts `percept table` for a game, and shows its links and the state of the match in a split. If the game's text
-- changes, it offers a new table with the changed rules.
local config = require("percept.config")
local M = {}

--- The open table: file, arguments, process, buffer, links, says, changed.
local table_ = nil

local PATTERNS = { "*.kif", "*.gdl", "*.hrf", "*.pog", "*.pogddl", "*.pddl" }

local function page(self)
  local lines = { "Playtest of " .. (self.links and self.links.game or vim.fs.basename(self.file)) .. ": " .. self.says, "" }
  if self.links then
    for _, seat in ipairs(self.links.seats) do
      table.insert(lines, ("%-10s %s"):format(seat.role, seat.by))
    end
    table.insert(lines, ("%-10s %s"):format("watchers", self.links.watchers))
    vim.list_extend(lines, { "", "Give each player its own link: a link is the key of its seat.", "" })
    if self.changed then
      table.insert(lines, "The rules have changed since. n: a new table with the changed rules")
    end
    table.insert(lines, "<CR> opens a link, y copies it, q ends the table")
  end
  return lines
end

local function show(self)
  if not vim.api.nvim_buf_is_valid(self.buffer) then
    return
  end
  vim.bo[self.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(self.buffer, 0, -1, false, page(self))
  vim.bo[self.buffer].modifiable = false
end

local function stop(self)
  if self.ended then
    return
  end
  self.ended = true
  self.process:kill("sigint")
  pcall(vim.api.nvim_del_autocmd, self.watch)
  if table_ == self then
    table_ = nil
  end
end

local function take(self, event)
  if event.kind == "table" then
    self.links = event
    self.says = "the table is open"
  elseif event.kind == "begun" then
    self.says = ("match %d has begun"):format(event.match + 1)
  elseif event.kind == "round" then
    self.says = event.rounds == 1 and "1 round" or ("%d rounds"):format(event.rounds)
  elseif event.kind == "ended" then
    self.says = ("match %d is over"):format(event.match + 1)
  end
  show(self)
end

-- Calls `take` for every complete line of a stream.
local function by_line(self)
  local rest = ""
  return function(_, data)
    rest = rest .. (data or "")
    for line in rest:gmatch("([^\n]*)\n") do
      vim.schedule(function()
        local ok, event = pcall(vim.json.decode, line)
        if ok and not self.ended then
          take(self, event)
        end
      end)
    end
    rest = rest:match("[^\n]*$")
  end
end

local function link_here()
  return vim.api.nvim_get_current_line():match("https?://%S+")
end

local function keys(self)
  local function map(key, run)
    vim.keymap.set("n", key, run, { buffer = self.buffer, nowait = true, silent = true })
  end
  map("<CR>", function()
    local link = link_here()
    if link then
      vim.ui.open(link)
    end
  end)
  map("y", function()
    local link = link_here()
    if link then
      vim.fn.setreg('"', link)
      pcall(vim.fn.setreg, "+", link)
      vim.notify("percept: the link is copied")
    end
  end)
  map("n", function()
    local file, arguments = self.file, self.arguments
    vim.api.nvim_buf_delete(self.buffer, { force = true })
    M.begin(file, arguments)
  end)
  map("q", function()
    vim.api.nvim_buf_delete(self.buffer, { force = true })
  end)
end

--- Starts a table for a file, and shows it in a split.
function M.begin(file, arguments)
  if table_ then
    stop(table_)
  end
  local self = { file = file, arguments = arguments, says = "starting", changed = false, errors = "" }
  vim.cmd("botright 12new")
  self.buffer = vim.api.nvim_get_current_buf()
  vim.bo[self.buffer].buftype = "nofile"
  vim.bo[self.buffer].bufhidden = "wipe"
  vim.bo[self.buffer].swapfile = false
  vim.bo[self.buffer].filetype = "percept-playtest"
  table_ = self
  local line = { config.lsp().cmd[1], "table", file, "--format", "json" }
  self.process = vim.system(vim.list_extend(line, arguments), {
    text = true,
    stdout = by_line(self),
    stderr = function(_, data)
      self.errors = self.errors .. (data or "")
    end,
  }, function()
    vim.schedule(function()
      if not self.ended then
        stop(self)
        self.says = "the table has ended"
        show(self)
        if self.errors ~= "" then
          vim.notify(vim.trim(self.errors), vim.log.levels.ERROR)
        end
      end
    end)
  end)
  self.watch = vim.api.nvim_create_autocmd("BufWritePost", {
    pattern = PATTERNS,
    callback = function(event)
      if not self.changed and vim.fs.dirname(vim.fs.normalize(event.match)) == vim.fs.dirname(vim.fs.normalize(file)) then
        self.changed = true
        show(self)
      end
    end,
  })
  vim.api.nvim_create_autocmd({ "BufWipeout", "VimLeavePre" }, {
    buffer = self.buffer,
    callback = function()
      stop(self)
    end,
  })
  keys(self)
  show(self)
end

--- `:Percept playtest [options of percept table]` for the game in the current window.
function M.open(arguments)
  local file = vim.api.nvim_buf_get_name(0)
  if not vim.list_contains(config.filetypes, vim.bo.filetype) or vim.bo.filetype == "percept-trace" or file == "" then
    vim.notify("percept: this is not a game", vim.log.levels.ERROR)
    return
  end
  -- The table reads the file.
  if vim.bo.modified then
    vim.cmd.write()
  end
  M.begin(file, arguments)
end

return M
