// The page's half of percept.widget.stepper: draws the traits, and asks for moves.
function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text ?? "";
  return made;
}

function render({ model, el }) {
  const bar = element("div", "percept-bar");
  const eyes = element("select", "");
  eyes.setAttribute("aria-label", "Whose eyes");
  const shown = element("div", "");
  const said = element("p", "percept-said");
  said.setAttribute("role", "alert");
  const moves = element("div", "percept-moves");
  let number = Date.now();
  const ask = (what) => {
    // The number makes every request a change.
    model.set("ask", { ...what, number: ++number });
    model.save_changes();
  };
  const button = (text, what) => {
    const made = element("button", "", text);
    made.type = "button";
    made.addEventListener("click", () => ask(what));
    return made;
  };
  const undo = button("Undo", { do: "undo" });
  const restart = button("Restart", { do: "restart" });
  const random = button("Random round", { do: "random" });
  bar.append(eyes, undo, restart, random);

  eyes.addEventListener("change", () => {
    model.set("eyes", eyes.value);
    model.save_changes();
  });

  function draw() {
    const options = [["", "sees everything"], ...model.get("roles").map((role) => [role, `eyes of ${role}`])];
    eyes.replaceChildren(
      ...options.map(([value, text]) => {
        const option = element("option", "", text);
        option.value = value;
        option.selected = value === model.get("eyes");
        return option;
      }),
    );
    const past = model.get("past");
    undo.disabled = restart.disabled = past === 0;
    shown.innerHTML = model.get("html");
    said.textContent = model.get("said");
    const choices = model.get("choices");
    const chosen = model.get("chosen");
    moves.replaceChildren(
      ...choices.map(([role, legal]) => {
        const row = element("div", "");
        row.setAttribute("role", "group");
        row.setAttribute("aria-label", `Moves of ${role}`);
        row.append(element("b", "", role));
        for (const move of legal) {
          const made = button(move, { do: "move", role, move });
          made.setAttribute("aria-pressed", String(chosen[role] === move));
          row.append(made);
        }
        return row;
      }),
    );
  }

  el.classList.add("percept-stepper");
  el.append(bar, shown, said, moves);
  const names = ["html", "eyes", "roles", "choices", "chosen", "past", "said"];
  // Several traits change at once: one drawing is enough.
  let waiting = false;
  const changed = () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      draw();
    });
  };
  for (const name of names) model.on(`change:${name}`, changed);
  draw();
  return () => names.forEach((name) => model.off(`change:${name}`, changed));
}

export default { render };
