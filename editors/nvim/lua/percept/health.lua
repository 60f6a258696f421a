-- :checkhealth percept
local M = {}

local function check_program(config)
  local program = config.values.cmd[1]
  if vim.fn.executable(program) == 0 then
    vim.health.error(("`%s` was not found"):format(program), {
      "install it: cargo install --path server/cli (in Percept's repository)",
      'or set its path: require("percept").setup({ cmd = { "/path/to/percept", "lsp" } })',
    })
    return
  end
  local result = vim.system({ program, "--version" }, { text = true }):wait(5000)
  vim.health.ok(vim.trim(result.stdout or "") .. " at " .. vim.fn.exepath(program))
end

local function check_grammars()
  for name, filetype in pairs({ gdl = "gdl", gdl_infix = "gdl-infix", pogddl = "pogddl" }) do
    local loaded = pcall(vim.treesitter.language.add, name)
    if loaded and #vim.api.nvim_get_runtime_file("parser/" .. name .. ".so", false) > 0 then
      vim.health.ok("tree-sitter grammar for " .. filetype)
    else
      vim.health.info(("no tree-sitter grammar for %s; the server colours the text. Build it: see :help percept-grammars"):format(filetype))
    end
  end
end

function M.check()
  local config = require("percept.config")
  vim.health.start("percept")
  if vim.fn.has("nvim-0.11") == 1 then
    vim.health.ok("Neovim " .. tostring(vim.version()))
  else
    vim.health.error("Neovim 0.11 or newer is needed")
  end
  check_program(config)
  check_grammars()
  local clients = vim.lsp.get_clients({ name = "percept" })
  if #clients > 0 then
    vim.health.ok(("the server runs, positions in %s"):format(clients[1].offset_encoding))
  else
    vim.health.info("the server is not running; open a game first")
  end
end

return M
