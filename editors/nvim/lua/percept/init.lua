-- The entry points of the plugin: setup() for settings, register() for filetypes, commands and the server.
local config = require("percept.config")
local M = {}

--- Changes settings; without a call the defaults apply. See |percept-settings|.
function M.setup(given)
  config.merge(given)
  vim.lsp.config("percept", config.lsp())
end

local function start_highlighting(buffer)
  -- Without the compiled grammar, only the server's semantic tokens colour the text.
  pcall(vim.treesitter.start, buffer)
end

local function on_filetype(event)
  local infix = vim.bo[event.buf].filetype == "gdl-infix"
  vim.bo[event.buf].commentstring = infix and "%% %s" or "; %s"
  if not infix then
    vim.bo[event.buf].lisp = true
    vim.bo[event.buf].iskeyword = "33,36-38,42-58,60-90,94-122,124,126,?"
  end
  start_highlighting(event.buf)
end

local function on_attach(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if not client or client.name ~= "percept" then
    return
  end
  if config.values.inlay_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
  end
  if config.values.code_lens and vim.lsp.codelens then
    if vim.lsp.codelens.enable then
      vim.lsp.codelens.enable(true, { bufnr = event.buf })
    else
      vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "BufWritePost" }, {
        group = vim.api.nvim_create_augroup("percept.lens." .. event.buf, { clear = true }),
        buffer = event.buf,
        callback = function()
          vim.lsp.codelens.refresh({ bufnr = event.buf })
        end,
      })
      vim.lsp.codelens.refresh({ bufnr = event.buf })
    end
  end
end

local COMMANDS = {
  step = function()
    require("percept.stepper").open("state")
  end,
  infoset = function(arguments)
    require("percept.stepper").open("knowledge", arguments[1])
  end,
  observe = function()
    require("percept.stepper").open("verdict")
  end,
  prove = function()
    require("percept.stepper").open("proof")
  end,
  play = function()
    require("percept.stepper").open("state", nil, true)
  end,
  playtest = function(arguments)
    require("percept.playtest").open(arguments)
  end,
  coverage = function()
    require("percept.coverage").toggle()
  end,
  stop = function()
    local any = require("percept.asking").stop()
    vim.notify(any and "Percept: stopped" or "Percept: nothing is running")
  end,
  new = function(arguments)
    require("percept.author").new(arguments)
  end,
  test = function(arguments)
    require("percept.author").test(arguments)
  end,
}

local function command(call)
  local run = COMMANDS[call.fargs[1]]
  if not run then
    vim.notify("Percept: step, infoset [role], observe, prove, play, playtest, coverage, stop, new NAME or test [paths]", vim.log.levels.ERROR)
    return
  end
  run(vim.list_slice(call.fargs, 2))
end

function M.register()
  for _, name in ipairs({ "gdl", "pogddl" }) do
    pcall(vim.treesitter.language.register, name, name)
  end
  pcall(vim.treesitter.language.register, "gdl_infix", "gdl-infix")
  pcall(vim.treesitter.language.register, "gdl", "percept-trace")
  local group = vim.api.nvim_create_augroup("percept", { clear = true })
  vim.api.nvim_create_autocmd("FileType", { group = group, pattern = config.filetypes, callback = on_filetype })
  vim.api.nvim_create_autocmd("LspAttach", { group = group, callback = on_attach })
  vim.api.nvim_create_user_command("Percept", command, {
    nargs = "+",
    desc = "Step through a match, show an information set, check observability",
    complete = function(lead, line)
      local words = vim.split(line, "%s+")
      if #words > 2 and words[2] == "test" then
        return vim.fn.getcompletion(lead, "file")
      elseif #words > 2 and words[2] == "new" then
        return {}
      elseif #words > 2 then
        return require("percept.stepper").roles(lead)
      end
      return vim.tbl_filter(function(name)
        return vim.startswith(name, lead)
      end, { "coverage", "infoset", "new", "observe", "play", "playtest", "prove", "step", "stop", "test" })
    end,
  })
  -- The server's code lenses refer to these commands.
  vim.lsp.commands["percept.openStepper"] = COMMANDS.step
  vim.lsp.commands["percept.checkObservability"] = COMMANDS.observe
  vim.lsp.commands["percept.proveObservability"] = COMMANDS.prove
  -- The server's code actions refer to this command: it opens the match behind a finding.
  vim.lsp.commands["percept.stepThere"] = function(command)
    require("percept.stepper").open_at(command.arguments[1])
  end
  vim.lsp.enable("percept")
end

return M
