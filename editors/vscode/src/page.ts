// The initial page of the panel.

import * as vscode from "vscode";

/** Scripts and styles come only from `media`. */
export function page(webview: vscode.Webview, media: vscode.Uri): string {
  const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const nonce = Array.from({ length: 24 }, () => Math.floor(Math.random() * 36).toString(36)).join("");
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri("panel.css")}">
<title>Match</title>
</head>
<body>
<main id="app" class="panel" aria-busy="true"><p class="quiet">Reading the game …</p></main>
<script nonce="${nonce}" src="${uri("panel.js")}"></script>
</body>
</html>`;
}
