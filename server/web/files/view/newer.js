// A word that the server has a newer page than this one. It is said at a free moment, and nothing is loaded by itself.

import { registration } from "../model/worker.js";
import { server } from "../wire/link.js";
import { _ } from "../words/language.js";
import { h } from "./dom.js";

export class NewerPage {
  constructor() {
    this.element = h("p", { class: "card newer", role: "status", hidden: true }, h("span", {}, _("A newer page is ready.")),
      h("button", { type: "button", onclick: () => location.reload() }, _("Load it")));
    this.renewed = "";
  }

  // `free`: whether nothing is being composed.
  show(free = true) {
    const other = server.page && !document.getElementById("app").dataset.files.includes(server.page);
    const typing = document.activeElement?.value && document.activeElement.matches("input, textarea");
    this.element.hidden = !other || !free || typing || Boolean(document.querySelector("dialog[open]"));
    if (other) this.renewWorker();
  }

  // The service worker of the newer page takes over at once: browsers look for it only now and then.
  async renewWorker() {
    if (this.renewed === server.page) return;
    this.renewed = server.page;
    await (await registration())?.update().catch(() => {}); // The next visit looks for it again.
  }
}
