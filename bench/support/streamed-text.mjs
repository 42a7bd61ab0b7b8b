// The Markdown that the agents and models of the terminal measurements stream.

export const markdownPart = (n) =>
  `## Part ${n}\n\nSome **bold** words with \`code\` that go on until they wrap over more than one row of the screen.\n\n- one\n- two\n\n\`\`\`ts\n${`const value = compute("${n}", 1) + other(2);\n`.repeat(12)}\`\`\`\n\n`;

const text = Array.from({ length: 60 }, (_, n) => markdownPart(n)).join("");

/** A piece of four letters. After 10,000 pieces the text starts again. */
export const streamedText = (at) => text.slice((at % 10_000) * 4, (at % 10_000) * 4 + 4);
