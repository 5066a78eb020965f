// Says in an invented language what stands in its file: the page's module of languages is given, then the file.

import { readFileSync } from "node:fs";

const page = await import(process.argv[2]);
const words = JSON.parse(readFileSync(process.argv[3], "utf-8"));
page.speak("xx", words);
console.log(JSON.stringify({
  chosen: [page.choose(["xx-YY", "en"], ["de", "xx"]), page.choose(["fr", "en-GB"], ["xx"]), page.choose(["fr"], ["xx"])],
  said: [page._("Play now"), page.ngettext("{n} talent", "{n} talents", 1), page.ngettext("{n} talent", "{n} talents", 7),
    page.pgettext("coast", "west")],
}));
