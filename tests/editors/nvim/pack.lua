-- An init.lua that installs the plugin with vim.pack, as in docs/neovim.md.
vim.o.swapfile = false
if not vim.pack then
  io.stdout:write("skipped: vim.pack (this Neovim has none)\n")
  vim.cmd("qall!")
end
vim.pack.add({ "file://" .. vim.env.WORK .. "/percept" }, { confirm = false })
vim.opt.runtimepath:append(vim.fn.stdpath("data") .. "/site/pack/core/opt/percept/editors/nvim")
require("percept").setup({ cmd = { vim.env.PERCEPT, "lsp" } })

function _G.require_attached()
  local attached = vim.wait(10000, function()
    return #vim.lsp.get_clients({ bufnr = 0, name = "percept" }) == 1
  end, 10)
  io.stdout:write(attached and "\nok vim.pack installs the plugin\n" or "\nFAILED: vim.pack\n")
  for _, client in ipairs(vim.lsp.get_clients()) do
    client:stop(true)
  end
  vim.cmd(attached and "qall!" or "cquit 1")
end
