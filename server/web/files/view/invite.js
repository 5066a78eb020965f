// Invitation to a table: its link, its code, and a QR code of the link.

import { _ } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { h, setText } from "./dom.js";

export function linkTo(code) {
  return new URL(`watch#${encodeURIComponent(code)}`, location.href).href;
}

// The path that a proxy adds, "" for none.
function below() {
  return location.pathname.slice(0, location.pathname.lastIndexOf("/"));
}

const HERE = /^(localhost|127\..*|\[::1\])$/; // hosts that no other device can open

export class Invitation {
  constructor() {
    this.code = h("b", {});
    this.link = h("input", { readonly: true, "aria-label": _("The link to this table"), onfocus: () => this.link.select() });
    this.image = h("img", { alt: _("The link to this table, for a camera"), width: 132, height: 132 });
    this.copy = h("button", { type: "button", onclick: () => this.copyLink() }, _("Copy the link"));
    this.share = h("button", { type: "button", hidden: !navigator.share, onclick: () => this.shareLink() }, _("Share …"));
    this.done = h("p", { role: "status" });
    this.element = h("section", { class: "card invite" }, h("h2", {}, _("Invite friends")), this.image, this.code,
      this.link, h("p", { class: "ways" }, this.copy, this.share, this.done),
      HERE.test(location.hostname) ? h("small", { class: "here" }, _("Other devices cannot open this address. Open this page by this computer's address in the network to invite.")) : null);
  }

  show(table) {
    const code = table.code || table.match;
    this.title = table.title;
    setText(this.code, table.code);
    if (this.link.value === linkTo(code)) return;
    this.link.value = linkTo(code);
    this.image.src = `qr/${location.protocol.slice(0, -1)}${below()}/${encodeURIComponent(code)}`;
  }

  // Browsers offer the clipboard only where the connection is safe; elsewhere the old way may work.
  async copyLink() {
    this.link.select();
    try {
      await (navigator.clipboard ? navigator.clipboard.writeText(this.link.value) : this.copyOld());
      setText(this.done, _("Copied."));
    } catch {
      setText(this.done, _("Please copy the link that is marked."));
    }
  }

  copyOld() {
    if (!document.execCommand("copy")) throw new Error("no clipboard");
  }

  shareLink() {
    navigator.share({ title: this.title, url: this.link.value }).catch(() => {}); // The person may close it again.
  }
}

// A window with the invitation, at any time of the match.
export function openInvitation(table) {
  const invitation = new Invitation();
  invitation.show(table);
  openDialog(_("Invite friends"), invitation.element);
}

// The table in the program, where that is installed.
export function programLink(code) {
  return `conquest://${location.host}${below()}/${encodeURIComponent(code)}`;
}
