-- Requests to the server: this module keeps track of running requests, shows them, and can stop them.
local M = {}

-- The time after which work shows a message, in milliseconds.
local SHORT = 300
-- Running requests by their progress token: { client, id, owner, title, says, replaceable, shown, finish }.
local running = {}
local count = 0

local function client_of(buffer)
  return vim.lsp.get_clients({ name = "percept", bufnr = buffer })[1] or vim.lsp.get_clients({ name = "percept" })[1]
end
M.client_of = client_of

-- Replaces JSON null (vim.NIL, which is true in Lua) by nil.
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

--- The message about running requests of an owner, or nil. An owner is any table; its `buffer` shows the message.
function M.under_way(owner)
  local says = {}
  for _, it in pairs(running) do
    if it.owner == owner and it.shown then
      table.insert(says, it.says)
    end
  end
  table.sort(says)
  return #says > 0 and table.concat(says, "; ") .. "   (<C-c> stops)" or nil
end

-- Shows the message above the page, so that the lines of the page do not move.
local function show(owner)
  local window = owner.buffer and vim.fn.bufwinid(owner.buffer) or -1
  if window > 0 then
    local says = M.under_way(owner) or ""
    vim.wo[window].winbar = says == "" and "" or "%#DiagnosticInfo# " .. says:gsub("%%", "%%%%")
  end
end

vim.api.nvim_create_autocmd("LspProgress", {
  group = vim.api.nvim_create_augroup("percept.asking", { clear = true }),
  callback = function(event)
    local params = event.data and event.data.params
    local it = params and running[params.token]
    if it and params.value.kind ~= "end" then
      it.title = params.value.title or it.title
      it.says = it.title .. (params.value.message and ": " .. params.value.message or "")
      show(it.owner)
    end
  end,
})

--- Sends a request to the server. `owner` is a table that may have `buffer` (it shows the progress); `source` is the game's
--- buffer; `answer` gets the problem (nil if the game has changed in the meantime) and the result; `title` describes the
--- work; a `replaceable` request is cancelled when another view is shown.
function M.request(owner, source, command, argument, answer, title, replaceable)
  local client = client_of(source)
  if not client then
    answer("the language server is not running; see :checkhealth percept")
    return
  end
  count = count + 1
  local token = "percept-nvim-" .. count
  local it = { client = client, owner = owner, title = title or "Asking the server", replaceable = replaceable }
  it.says = it.title
  running[token] = it
  it.finish = function(problem, result)
    if running[token] == it then
      running[token] = nil
      show(owner)
      answer(problem, plain(result))
    end
  end
  local params = { command = command, arguments = { argument }, workDoneToken = token }
  local sent, id = client:request("workspace/executeCommand", params, function(problem, result)
    -- The game was edited in the meantime, so the request is repeated anyway.
    local stale = problem and problem.code == vim.lsp.protocol.ErrorCodes.ContentModified
    it.finish(problem and not stale and problem.message or nil, result)
  end, source)
  if not sent then
    it.finish("the language server has ended; see :checkhealth percept")
    return
  end
  it.id = id
  vim.defer_fn(function()
    if running[token] == it then
      it.shown = true
      show(owner)
    end
  end, SHORT)
end

--- Stops the running requests of an owner, or of all owners. Returns true if there were any.
function M.stop(owner)
  local any = false
  for _, it in pairs(vim.tbl_extend("force", {}, running)) do
    if it.id and (owner == nil or it.owner == owner) then
      any = true
      it.client:cancel_request(it.id)
      -- Neovim does not call the handler of a cancelled request.
      it.finish(it.title .. " was stopped.")
    end
  end
  return any
end

--- Cancels the replaceable requests of an owner, because another view is shown.
function M.replace(owner)
  for token, it in pairs(vim.tbl_extend("force", {}, running)) do
    if it.owner == owner and it.replaceable then
      running[token] = nil
      if it.id then
        it.client:cancel_request(it.id)
      end
    end
  end
  show(owner)
end

return M
