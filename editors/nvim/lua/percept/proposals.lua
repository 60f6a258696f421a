-- Requests about one finding: its histories as boards, its repairs, and explanations of atoms.
local pair = require("percept.pair")
local M = {}

--- Requests the boards of a pair. `tools`: `ask` and `draw` of the split.
function M.pair(self, finding, tools)
  local key = pair.key(finding)
  local argument = { role = finding.role, first = finding.witness.first, second = finding.witness.second }
  tools.ask(self, "percept.pair", argument, function(frames)
    self.pairs = self.pairs or {}
    self.pairs[key] = frames
    self.pair_round = nil
    tools.draw(self)
  end)
end

--- Goes one round forward or back in the shown pairs.
function M.go(self, step, tools)
  local last = 0
  for _, frames in pairs(self.pairs or {}) do
    last = math.max(last, #(frames.frames or {}) - 1)
  end
  self.pair_round = math.max(0, math.min(last, (self.pair_round or last) + step))
  tools.draw(self)
end

--- Requests percepts that would give a role the missing knowledge.
function M.repair(self, action, tools)
  local argument = { role = action.role, property = action.property, seconds = 60 }
  tools.ask(self, "percept.repair", argument, function(found)
    if found and found.repairs then
      self.repairs = self.repairs or {}
      self.repairs[action.role .. "/" .. action.property] = found
    end
    tools.draw(self)
  end)
end

--- Inserts the proposed lines, and shows the first.
function M.insert(self, edits, tools)
  local client = vim.lsp.get_clients({ name = "percept" })[1]
  local changes = {}
  for _, edit in ipairs(edits) do
    changes[edit.uri] = changes[edit.uri] or {}
    table.insert(changes[edit.uri], { range = edit.range, newText = edit.newText })
  end
  for uri, texts in pairs(changes) do
    vim.lsp.util.apply_text_edits(texts, vim.uri_to_bufnr(uri), client and client.offset_encoding or "utf-16")
  end
  self.why, self.repairs, self.pairs = nil, nil, nil
  local first = edits[1]
  tools.show({ uri = first.uri, range = { start = first.range.start, ["end"] = first.range.start } })
  -- Neovim triggers no event for a change in a buffer without a window.
  tools.refresh(self)
end

-- The atoms that can be explained at the shown place, for completion.
local atoms = {}

function M.complete(lead)
  local found = {}
  for _, it in ipairs(atoms) do
    if it.says:find(lead, 1, true) then
      table.insert(found, it.says)
    end
  end
  return found
end

--- Asks for an atom, and explains why it holds or not.
function M.ask(self, tools)
  tools.ask(self, "percept.askable", tools.about(self), function(found)
    atoms = found and found.atoms or {}
    local prompt = { prompt = "Why, or why not? ", completion = "customlist,v:lua.require'percept.proposals'.complete" }
    vim.ui.input(prompt, function(text)
      text = vim.trim(text or "")
      if text == "" then
        return
      end
      local question = { atom = text }
      for _, it in ipairs(atoms) do
        if it.says == text or it.says:sub(-#text - 2) == ": " .. text then
          question = it.question
          break
        end
      end
      tools.why(self, { question = question, name = text })
    end)
  end)
end

return M
