import type { Scenario } from "../scenario.ts";

const strange =
  'Grüße, 世界, 👩‍👩‍👧‍👦, עברית, e\u0301, line\u2028separator, paragraph\u2029separator, tab\t, quote " and \\ end';

/** Answers without tools. */
export const answers: readonly Scenario[] = [
  { name: "text", about: "One short text.", steps: [[{ say: "Hello from the scripted model." }]] },
  {
    name: "deltas",
    about: "A text in twenty pieces.",
    steps: [[{ pieces: 20 }, { say: "One two three four five six seven eight nine ten eleven twelve." }]],
  },
  {
    name: "thinking",
    about: "A thought, then a text.",
    steps: [[{ think: "Let me think about it. It is simple." }, { say: "I thought about it: 42." }]],
  },
  {
    name: "slow-text",
    about: "Half a text, the gate `slow`, the other half.",
    steps: [[{ say: "The first half, " }, { gate: "slow" }, { say: "and the second." }]],
  },
  {
    name: "late-text",
    about: "The gate `late` before anything is said.",
    steps: [[{ gate: "late" }, { say: "Here I am at last." }]],
  },
  { name: "empty", about: "An answer with nothing in it.", steps: [[]] },
  {
    name: "huge",
    about: "A text of many bytes, 3,000,000 unless the argument says otherwise.",
    steps: [[{ big: "{arg|3000000}" }]],
  },
  { name: "unicode", about: "Characters that break careless readers.", steps: [[{ pieces: 30 }, { say: strange }]] },
  { name: "image", about: "Says how many images the model was sent.", steps: [[{ say: "I see {images} image(s)." }]] },
  { name: "echo", about: "Says its argument.", steps: [[{ say: "{arg|Nothing was said.}" }]] },
  {
    name: "usage",
    about: "Usage with figures of every kind.",
    steps: [
      [
        { usage: { input: 1_000, output: 200, cacheRead: 5_000, cacheWrite: 300, thought: 50 } },
        { say: "That cost something." },
      ],
    ],
  },
  {
    name: "limit-ok",
    about: "The plan's five-hour window is a fifth used.",
    steps: [
      [
        { limit: { status: "ok", window: "five_hour", usedPercent: 20, resetsInSeconds: 3_600 } },
        { say: "Plenty left." },
      ],
    ],
  },
  {
    name: "limit-warning",
    about: "The plan's five-hour window is nearly used up.",
    steps: [
      [
        { limit: { status: "warning", window: "five_hour", usedPercent: 93, resetsInSeconds: 3_600 } },
        { say: "Not much left." },
      ],
    ],
  },
];
