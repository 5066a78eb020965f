// Alerts on this device when it is this person's turn: by the page while it is open, and by Web Push when it is not
// (SPEC 5.9). The browser asks for a permission, on a gesture.

import { spoken } from "../words/language.js";
import { ME } from "./identity.js";
import { registration } from "./worker.js";

const NO_KEY = new Uint8Array(0); // ends a subscription

export class DeviceAlerts {
  constructor(match) {
    this.match = match;
    this.reached = false; // whether the server can alert this device while the page is closed
    this.changed = () => {};
    match.onIntroduced = () => this.renew();
  }

  // "insecure" without TLS, "missing" where the browser has no alerts, "blocked", "off" or "on".
  get state() {
    if (!isSecureContext) return "insecure";
    if (!("Notification" in globalThis)) return "missing";
    if (Notification.permission === "denied") return "blocked";
    return ME.alerted && Notification.permission === "granted" ? "on" : "off";
  }

  // Asked for by a gesture.
  async begin() {
    ME.alerted = (await Notification.requestPermission()) === "granted";
    this.refused = !ME.alerted;
    this.changed();
    await this.renew();
  }

  async stop() {
    ME.alerted = false;
    this.reached = false;
    this.changed();
    const subscription = await (await registration())?.pushManager?.getSubscription();
    if (!subscription) return;
    this.match.request("Subscribe", subscription.endpoint, NO_KEY, NO_KEY, spoken.code);
    await subscription.unsubscribe();
  }

  // Tell the server the subscription, on each visit: it or the server may have lost it.
  async renew() {
    if (this.state !== "on" || !this.match.pushKey?.length || !this.match.can.includes("push")) return;
    try {
      const subscription = await this.subscription();
      const keys = ["p256dh", "auth"].map((name) => new Uint8Array(subscription.getKey(name)));
      const answer = await this.match.request("Subscribe", subscription.endpoint, ...keys, spoken.code);
      this.reached = answer?.kind === "Done";
    } catch {
      this.reached = false; // The browser's push service cannot be reached, or there is none.
    }
    this.changed();
  }

  // The browser's subscription for the server's present key.
  async subscription() {
    const { pushManager } = await navigator.serviceWorker.ready;
    const key = this.match.pushKey;
    const before = await pushManager.getSubscription();
    if (before && `${new Uint8Array(before.options.applicationServerKey)}` === `${key}`) return before;
    await before?.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }
}
