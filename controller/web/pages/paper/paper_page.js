// Paper page: a document that is read from the controller, shown as one sheet, and printed. Laws:
// it is read again before it is printed and when the page becomes visible. Nothing stays on the
// page when nobody is signed in.
import { box, by_id, paragraph, show } from "./element.js";
import { Session } from "./sign_in.js";

// The number in the address: /slips/7.
export const number = Number.parseInt(location.pathname.split("/")[2], 10);

// Lines to sign on, each with the person who signs under it.
export const signature_lines = (people) =>
  box(
    "signature_lines",
    people.map((who) => paragraph("under", who)),
  );

// read(session): reads the document and shows it. The tools are hidden if there is nothing to
// print.
export function show_paper(title, read) {
  const session = new Session(by_id("sign_in"), {
    title,
    signed_in: () => read(session),
    signed_out: () => {
      by_id("paper").replaceChildren();
      show(by_id("tools"), false);
    },
  });
  document.title = `${title} · Linkmeter`;
  by_id("print").addEventListener("click", async () => {
    await read(session);
    if (!by_id("tools").hidden) window.print();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && session.person !== null) read(session);
  });
  session.begin();
}
