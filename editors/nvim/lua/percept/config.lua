-- Settings with their defaults.
local M = {}

M.filetypes = { "gdl", "gdl-infix", "pogddl", "percept-trace" }

M.values = {
  -- The program and its arguments.
  cmd = { "percept", "lsp" },
  -- Settings of the server, as in the manual: diagnostics, inlayHints, codeLens, pogddl.
  settings = {},
  -- Show percepts beside the rounds of a trace.
  inlay_hints = true,
  -- Show "Step" and "Check observability" above games.
  code_lens = true,
}

function M.merge(given)
  M.values = vim.tbl_deep_extend("force", M.values, given or {})
  return M.values
end

-- The configuration of the language client.
function M.lsp()
  return {
    cmd = M.values.cmd,
    filetypes = M.filetypes,
    root_markers = { "percept.toml", ".git" },
    -- stepThere: allows the server to offer the match behind a finding.
    init_options = vim.tbl_extend("force", M.values.settings, { stepThere = true }),
    settings = { percept = M.values.settings },
  }
end

return M
