// SPDX-License-Identifier: Apache-2.0
// The organiser's page: status.json as a table, read every two seconds.

const $ = (id) => document.getElementById(id);

function row(t) {
  const tr = document.createElement("tr");
  const moved = t.moves ? `${Math.ceil(t.moves / 2)}. ${t.moves % 2 ? "" : "… "}${t.last}` : "";
  for (const text of [t.table, t.white, t.black, t.result, moved, t.board + (t.online ? "" : " (away)"), t.fault]) {
    tr.append(Object.assign(document.createElement("td"), { textContent: text }));
  }
  tr.lastChild.className = "fault";
  return tr;
}

function show(s) {
  $("title").textContent = [s.event, s.round && `round ${s.round}`].filter(Boolean).join(", ") || "The round";
  document.title = $("title").textContent;
  $("trouble").textContent = s.trouble;
  $("trouble").hidden = !s.trouble;
  $("simul").hidden = !s.simul;
  if (s.simul) {
    const m = s.simul;
    const tables = m.won + m.drawn + m.lost + m.plays;
    const stand = `${m.won} won, ${m.drawn} drawn, ${m.lost} lost, ${m.plays} going on`;
    $("simul").textContent = `${m.player} against ${tables}: ${stand}`;
  }
  $("tables").replaceChildren(...s.tables.map(row));
  const entry = (b) => Object.assign(document.createElement("li"), { textContent: `${b.board}: ${b.why}` });
  $("spare").replaceChildren(...s.spare.map(entry));
}

async function look() {
  try {
    const answer = await fetch("status.json");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    show(await answer.json());
  } catch (e) {
    $("trouble").textContent = `The club's program does not answer (${e.message}): what stands below is old.`;
    $("trouble").hidden = false;
  }
}

look();
setInterval(look, 2000);
