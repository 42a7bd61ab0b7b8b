/** Where the page is not built, in its place. No style: the policy allows none but the page's own. */
export const missingPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Reins</title></head>
<body><h1>The page is not built</h1>
<p>Run <code>npm run build</code> in the folder of Reins, then start <code>reins serve</code> again.</p>
<p>The API works without it: <a href="/docs">what it can do</a>.</p></body></html>
`;
