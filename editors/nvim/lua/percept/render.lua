-- The contents of the split as lines of text; pure functions of the server's answers.
local board = require("percept.board")
local pair = require("percept.pair")
local seat = require("percept.seat")
local M = {}

local boards, bars, short = board.boards, board.bars, pair.short
local PROPERTIES = pair.PROPERTIES
-- The number of listed rounds.
local ROUNDS = 8

-- A page under construction: lines, highlights, and the action of <CR> on each line.
local Page = {}
Page.__index = Page

function M.page()
  return setmetatable({ lines = {}, marks = {}, actions = {} }, Page)
end

--- Adds a line; `group` colours it, `action` is the action of <CR> there.
function Page:add(text, group, action)
  for _, line in ipairs(vim.split(text, "\n", { plain = true })) do
    table.insert(self.lines, line)
    local row = #self.lines
    if group then
      table.insert(self.marks, { row = row, group = group })
    end
    if action then
      self.actions[row] = action
    end
  end
end

function Page:gap()
  if #self.lines > 0 and self.lines[#self.lines] ~= "" then
    table.insert(self.lines, "")
  end
end

--- Adds the help on keys, on as many lines as the window needs; in `text` three blanks separate the keys.
function M.keys(page, text, width)
  local line = ""
  for key in vim.gsplit(text, "   ", { plain = true }) do
    if line ~= "" and vim.api.nvim_strwidth(line) + 3 + vim.api.nvim_strwidth(key) > (width or 80) then
      page:add(line, "Comment")
      line = ""
    end
    line = line == "" and key or line .. "   " .. key
  end
  page:add(line, "Comment")
end

local function state(page, shown)
  local drawn = boards(page, shown.boards, shown.legend, true)
  for _, group in ipairs(shown.groups) do
    for _, name in ipairs(group.fluents) do
      if not drawn[name] then
        page:add("  " .. name, nil, { kind = "why", question = { fluent = name }, name = name })
      end
    end
  end
  for _, pair in ipairs(shown.numbers) do
    page:add(("  %s = %s"):format(pair[1], pair[2]))
  end
end

local function or_nothing(list)
  return #list > 0 and table.concat(list, " ") or "nothing"
end

-- " (public)" or " (private)" after a percept of a round, if this is known and there are several players.
local function visibility(view, round, name)
  local all = view.public and view.public[round]
  local players = vim.iter(view.roles):filter(function(role) return not role.chance end):totable()
  if not all or #players < 2 then
    return ""
  end
  return vim.tbl_contains(all, name) and "  (public)" or "  (private)"
end

local function state_view(page, step, picked, chosen)
  local view = step.view
  page:add("State", "Title")
  state(page, view.state)
  for index, role in ipairs(view.roles) do
    page:gap()
    local result = view.terminal and #role.goals > 0 and ("   goal " .. table.concat(role.goals, ", ")) or ""
    page:add(role.name .. (role.chance and "  (chance)" or "") .. result, "Title")
    if view.round > 0 and not role.chance then
      if #role.percepts == 0 then
        page:add("  perceived nothing", "Special")
      end
      for _, name in ipairs(role.percepts) do
        page:add("  perceived " .. name .. visibility(view, view.round, name), "Special", { kind = "why", question = { percept = name, role = role.name }, name = name })
      end
    end
    if not view.terminal then
      for at, name in ipairs(role.legal) do
        if not board.names_all(role.places and role.places[at], chosen) then
          goto continue
        end
        local is_picked = picked[index] == name or #role.legal == 1
        page:add((is_picked and "  ● " or "  ○ ") .. name, is_picked and "String" or nil,
          { kind = "pick", role = index, name = name })
        ::continue::
      end
    end
  end
  if not view.terminal then
    page:gap()
    page:add("[ play this round ]", "Function", { kind = "play" })
  end
end

-- An explanation with its supporting explanations; <CR> on a line goes to its place in the text.
local function why_view(page, why, indent)
  local pad = string.rep(" ", indent)
  -- The parts of POGDDL.
  for _, part in ipairs(why.parts or {}) do
    local open = part.location and { kind = "open", location = part.location } or nil
    page:add(pad .. (part.holds and "✓ " or "✗ ") .. part.says, part.holds and "DiagnosticOk" or "DiagnosticError", open)
    why_view(page, { parts = part.parts }, indent + 2)
  end
  if why.parts then
    return
  end
  for _, reason in ipairs(why.reasons) do
    page:add(pad .. "by " .. reason.text:gsub("%s+", " "), "Function", { kind = "open", location = reason.rule })
    for _, support in ipairs(reason.support) do
      page:add(pad .. "  ✓ " .. support.literal, "DiagnosticOk", { kind = "open", location = support.location })
      if support.why then
        why_view(page, support.why, indent + 4)
      end
    end
  end
  for _, failure in ipairs(why.failures) do
    page:add(pad .. "not by " .. failure.text:gsub("%s+", " "), "Function", { kind = "open", location = failure.rule })
    for _, failed in ipairs(failure.failed) do
      page:add(pad .. "  ✗ " .. failed.literal, "DiagnosticError", { kind = "open", location = failed.location })
    end
  end
  if #why.reasons == 0 and #why.failures == 0 then
    page:add(pad .. (why.holds and "it is given and needs no rule" or "no rule can derive it"), "Comment")
  end
end

-- A view whose answer is missing; a stop or an error is shown above.
local function waiting(page, model, says)
  page:add(model.error and "k v p ask again" or says .. " ...   (<C-c> stops)", "Comment")
end

local function knowledge_view(page, step, model)
  local view, set, beliefs = step.view, model.infoset, model.beliefs
  if not beliefs and not set then
    waiting(page, model, "Computing probabilities")
    return
  end
  local index = 1
  for at, role in ipairs(view.roles) do
    if role.name == model.role then
      index = at
    end
  end
  page:add("View of " .. model.role, "Title")
  if view.round > ROUNDS then
    page:add(("  … %d rounds before"):format(view.round - ROUNDS), "Comment")
  end
  for round = math.max(1, view.round - ROUNDS + 1), view.round do
    local it = view.history[round]
    page:add(("  %2d  %-24s  %s"):format(round, it.moves[index] or "", or_nothing(it.percepts[index] or {})))
  end
  page:gap()
  local open = beliefs and vim.iter(beliefs.beliefs):any(function(it) return it.probability < 1 end)
  if beliefs and beliefs.role == model.role and (open or #beliefs.boards > 0) then
    page:add("How likely", "Title")
    local drawn = boards(page, beliefs.boards, beliefs.legend, false)
    bars(page, beliefs.beliefs, beliefs.exact, drawn)
    page:gap()
  end
  if not set then
    waiting(page, model, "Looking for histories")
    return
  end
  if set.complete and set.histories == "1" then
    page:add(("%s knows everything: only one history fits  (%s)"):format(set.role, set.method), "Title")
  else
    local fits = set.complete and "histories fit" or "histories found so far"
    local states = set.states == 1 and "one state" or ("%s states"):format(set.states)
    page:add(("%s %s, ending in %s  (%s)"):format(set.histories, fits, states, set.method), "Title")
  end
  for _, member in ipairs(set.members) do
    local joints = {}
    local real = true
    for round, moves in ipairs(member.moves) do
      table.insert(joints, short(moves))
      real = real and vim.deep_equal(moves, view.history[round] and view.history[round].moves)
    end
    local line = ("  %5.1f %%  %s%s"):format(member.probability * 100, table.concat(joints, "  |  "), real and "   <- this match" or "")
    page:add(line, real and "String" or nil)
  end
end

local SIGNS = { known = "✓", unknown = "?", undecided = "…" }

local function verdict_view(page, verdict, model)
  if not verdict or not verdict.findings then
    waiting(page, model, "Checking every role's knowledge")
    return
  end
  local last, roles, cells, bad = 0, {}, {}, {}
  for _, finding in ipairs(verdict.findings) do
    last = math.max(last, finding.round)
    if not cells[finding.role] then
      table.insert(roles, finding.role)
      cells[finding.role] = { legal = {}, terminal = {}, goal = {} }
    end
    local row = cells[finding.role][finding.property] or {}
    row[finding.round] = SIGNS[finding.verdict]
    cells[finding.role][finding.property] = row
    if finding.witness then
      table.insert(bad, finding)
    end
  end
  page:add(#bad == 0 and "No problem was found in this match." or ("At %d point%s of this match a role lacks required knowledge."):format(#bad, #bad == 1 and "" or "s"),
    #bad == 0 and "DiagnosticOk" or "DiagnosticError")
  page:gap()
  local head = "                             "
  for round = 0, last do
    head = head .. ("%3d"):format(round)
  end
  page:add(head, "Comment")
  for _, role in ipairs(roles) do
    page:add(role, "Title")
    for _, property in ipairs(cells[role].own and { "legal", "terminal", "goal", "own" } or { "legal", "terminal", "goal" }) do
      local line = ("  %-27s"):format(PROPERTIES[property])
      for round = 0, last do
        line = line .. "  " .. (cells[role][property][round] or " ")
      end
      page:add(line)
    end
  end
  for _, finding in ipairs(bad) do
    pair.view(page, M, model, finding, model.width)
  end
end

-- The reasons why a proof about goals is vacuous.
local NOTHING = { ["no-end"] = ", but no match ever ends", ["no-goal"] = ", but it never has a goal" }

local function proof_view(page, proofs, model)
  if not proofs or not proofs.findings then
    waiting(page, model, "Proving for every match")
    return
  end
  page:add("In every match", "Title")
  for _, it in ipairs(proofs.findings) do
    local checked = it.checked and "checked" or "unchecked: " .. (it.unchecked or "")
    local says = it.verdict == "proved" and "✓ proved, " .. checked .. (NOTHING[it.reason] or "")
      or it.verdict == "refuted" and ("? not after %d rounds"):format(it.depth)
      or ("… open; no pair of up to %d rounds"):format(it.depth or 0)
    local group = it.verdict == "proved" and "DiagnosticOk" or it.verdict == "refuted" and "DiagnosticError" or "Comment"
    page:add(("  %-44s %s"):format(it.role .. " knows " .. PROPERTIES[it.property], says), group)
  end
  for _, it in ipairs(proofs.findings) do
    if it.witness then
      pair.view(page, M, model, vim.tbl_extend("force", it, { round = it.depth or 0 }), model.width)
    end
  end
end

--- The whole page for the current data.
function M.view(model)
  local page = M.page()
  local step = model.step or {}
  for _, refusal in ipairs(step.refusals or {}) do
    page:add("This is not a playable game: " .. refusal.message, "DiagnosticWarn", { kind = "open", location = refusal.location })
  end
  if model.error then
    page:add(model.error, "DiagnosticError")
  end
  if model.tab == "play" then
    require("percept.match").view(page, model)
    return page
  end
  if step.seat then
    M.keys(page, "e next view   h back   r random round   <CR> play, choose a cell   q close", model.width)
    seat.view(page, step.seat, model.chosen or {})
    return page
  end
  local view = step.view
  if not view then
    if not model.error and #page.lines == 0 then
      page:add("Setting the game up ...   (<C-c> stops)", "Comment")
    end
    return page
  end
  local over = view.terminal and "  the match is over" or ""
  page:add(("Round %d of %d%s"):format(view.round, view.rounds, over), "Title",
    { kind = "why", question = { atom = "terminal" }, name = "terminal" })
  if type(step.ended) == "table" then
    page:add(("The rules have changed: round %d no longer fits (%s)"):format(step.ended.round, step.ended.why), "DiagnosticWarn")
  end
  M.keys(page, "h back   l on   r random round   s state   k knowledge   v verdict   p proof   e view   w why (not)   m play   gr role   <CR> play, why   <C-c> stop   q close", model.width)
  -- Shows only the near rounds of a long match, so that the state below is visible.
  local first = #view.history <= ROUNDS and 1 or math.max(1, math.min(view.round - ROUNDS + 3, #view.history - ROUNDS + 1))
  local last = math.min(#view.history, first + ROUNDS - 1)
  if first > 1 then
    page:add(("   … %d before"):format(first - 1), "Comment", { kind = "jump", at = first - 1 })
  end
  for at = first, last do
    local round = view.history[at]
    local here = round.round == view.round
    page:add((here and "> " or "  ") .. ("%2d  %s"):format(round.round, short(round.moves)),
      here and "CursorLineNr" or (round.round > view.round and "Comment" or nil), { kind = "jump", at = round.round })
  end
  if last < #view.history then
    page:add(("   … %d more"):format(#view.history - last), "Comment", { kind = "jump", at = last + 1 })
  end
  page:gap()
  if model.why then
    local why = model.why.why
    -- A fluent is explained by the rule that made it hold.
    local atom = why.atom:match("^%(next (.+)%)$") or why.atom:match("^%(init (.+)%)$") or why.atom
    page:add((why.holds and "Why " or "Why not ") .. atom, "Title")
    local since = model.why.since
    if since then
      local when = since == 0 and "  since the start" or ("  since round %d"):format(since)
      page:add(when .. (since < view.round and "; <CR> explains it there" or ""), "Comment",
        since < view.round and { kind = "why", question = { fluent = atom, at = since }, name = atom } or nil)
    end
    why_view(page, why, 2)
    page:gap()
  end
  if model.tab == "knowledge" then
    knowledge_view(page, step, model)
  elseif model.tab == "verdict" then
    verdict_view(page, model.verdict, model)
  elseif model.tab == "proof" then
    proof_view(page, model.proofs, model)
  else
    state_view(page, step, model.picked, model.chosen or {})
  end
  return page
end

return M
