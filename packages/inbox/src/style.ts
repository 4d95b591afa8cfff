/** The look of the inbox. A page changes it by custom properties (`--dbr-inbox-…`) and parts. */
export const STYLE = `
:host {
  --accent: var(--dbr-inbox-accent, #1d4ed8);
  --surface: var(--dbr-inbox-surface, #fff);
  --raised: var(--dbr-inbox-raised, #f4f5f7);
  --text: var(--dbr-inbox-text, #1c2024);
  --muted: var(--dbr-inbox-muted, #5b6470);
  --line: var(--dbr-inbox-line, #dfe2e6);
  --danger: var(--dbr-inbox-danger, #b42318);
  --warning: var(--dbr-inbox-warning, #9a5b00);
  --success: var(--dbr-inbox-success, #16703c);
  --radius: var(--dbr-inbox-radius, 10px);
  display: inline-block;
  position: relative;
  color: var(--text);
  font: var(--dbr-inbox-font, 14px/1.45 system-ui, sans-serif);
  text-align: start;
}
:host([hidden]), [hidden] { display: none !important }
:host([embedded]) { display: block }
@media (prefers-color-scheme: dark) { :host(:not([theme=light])) { --accent: var(--dbr-inbox-accent, #8ab4ff); --surface: var(--dbr-inbox-surface, #17191c); --raised: var(--dbr-inbox-raised, #22262b); --text: var(--dbr-inbox-text, #eceef1); --muted: var(--dbr-inbox-muted, #a3acb8); --line: var(--dbr-inbox-line, #363c44); --danger: var(--dbr-inbox-danger, #ff9b91); --warning: var(--dbr-inbox-warning, #f5c26b); --success: var(--dbr-inbox-success, #7bd6a0) } }
:host([theme=dark]) { --accent: var(--dbr-inbox-accent, #8ab4ff); --surface: var(--dbr-inbox-surface, #17191c); --raised: var(--dbr-inbox-raised, #22262b); --text: var(--dbr-inbox-text, #eceef1); --muted: var(--dbr-inbox-muted, #a3acb8); --line: var(--dbr-inbox-line, #363c44); --danger: var(--dbr-inbox-danger, #ff9b91); --warning: var(--dbr-inbox-warning, #f5c26b); --success: var(--dbr-inbox-success, #7bd6a0) }
*, ::before { box-sizing: border-box }
button, input { font: inherit; color: inherit }
button { background: none; border: 1px solid transparent; border-radius: 6px; cursor: pointer; min-height: 28px; min-width: 28px; padding: 2px 8px }
button:hover { background: var(--raised) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
[part=bell] { position: relative; width: 40px; height: 40px; padding: 8px }
svg { width: 18px; height: 18px; display: block; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round }
[part=bell] svg { width: 24px; height: 24px }
.icon, [part=toast] > button { padding: 5px; color: var(--muted) }
.icon[aria-expanded=true] { background: var(--raised); color: var(--text) }
[part=badge] { position: absolute; inset-block-start: 2px; inset-inline-end: 0; min-width: 18px; padding: 0 4px; border-radius: 9px; background: var(--danger); color: var(--surface); font-size: 11px; font-weight: 700; line-height: 18px }
[part=panel] { position: absolute; z-index: 1000; inset-block-start: calc(100% + 6px); inset-inline-end: 0; width: min(420px, calc(100vw - 16px)); max-height: min(640px, 80vh); display: flex; flex-direction: column; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 12px 32px rgb(0 0 0 / .18); overflow: hidden }
[part=panel][data-align] { inset-inline: 0 auto }
:host([embedded]) [part=panel] { position: static; width: auto; max-height: none; box-shadow: none }
@media (max-width: 480px) { :host(:not([embedded])) [part=panel] { position: fixed; inset: 8px; width: auto; max-height: none } }
header { display: flex; align-items: center; gap: 4px; padding: 10px 12px 4px }
h2 { flex: 1; margin: 0; font-size: 16px }
h2:focus { outline: none }
[role=tablist] { display: flex; gap: 2px; padding: 0 10px; border-bottom: 1px solid var(--line); overflow-x: auto; flex: none }
[role=tab] { border-radius: 6px 6px 0 0; border-bottom: 2px solid transparent; color: var(--muted); white-space: nowrap }
[role=tab][aria-selected=true] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600 }
[part=content] { overflow-y: auto; flex: 1; min-height: 96px }
ul { list-style: none; margin: 0; padding: 0 }
li { display: grid; grid-template-columns: 8px auto 1fr; gap: 2px 8px; padding: 10px 12px; border-bottom: 1px solid var(--line) }
li::before { content: ""; width: 8px; height: 8px; margin-block-start: 6px; border-radius: 50% }
li[data-unread]::before { background: var(--accent) }
li > * { grid-column: 2 / -1 }
li > .day { grid-column: 1 / -1; order: -1; padding-block-end: 4px; color: var(--muted); font-size: 12px; font-weight: 600 }
li:has(> .avatar:not([hidden])) > :not(.day, .avatar) { grid-column: 3 }
.avatar { grid-column: 2 !important; grid-row: span 2; width: 30px; height: 30px; border-radius: 50%; background: var(--raised); color: var(--muted); font-size: 12px; font-weight: 600; line-height: 30px; text-align: center }
li h3 { margin: 0; font-size: 14px; font-weight: 500; overflow-wrap: anywhere }
li[data-unread] h3 { font-weight: 700 }
li h3 a { color: inherit; text-decoration: underline; text-decoration-color: var(--line); text-underline-offset: 3px }
li p { margin: 0; color: var(--muted); overflow-wrap: anywhere; white-space: pre-line; display: -webkit-box; -webkit-line-clamp: 4; -webkit-box-orient: vertical; overflow: hidden }
code { background: var(--raised); border-radius: 4px; padding: 0 3px }
.meta { display: flex; flex-wrap: wrap; gap: 8px; color: var(--muted); font-size: 12px }
.severity { font-weight: 600 }
li[data-severity=critical] { box-shadow: inset 3px 0 var(--danger) }
li[data-severity=warning] { box-shadow: inset 3px 0 var(--warning) }
[dir=rtl] li[data-severity=critical] { box-shadow: inset -3px 0 var(--danger) }
[data-severity=critical] .severity { color: var(--danger) }
[data-severity=warning] .severity { color: var(--warning) }
[data-severity=success] .severity { color: var(--success) }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 2px; margin-inline-start: -8px; font-size: 12px }
.actions button, summary { color: var(--muted); min-height: 26px }
.actions [aria-busy=true] { opacity: .5 }
.action a { display: inline-flex; align-items: center; min-height: 26px; margin-inline: 8px 4px; padding: 2px 10px; border-radius: 6px; background: var(--accent); color: var(--surface); font-weight: 600; text-decoration: none }
.action a:hover { opacity: .9 }
.action:empty { display: none }
details { display: contents }
summary { display: inline-flex; align-items: center; cursor: pointer; border-radius: 6px; padding: 2px 8px; list-style: none }
summary::-webkit-details-marker { display: none }
summary:hover { background: var(--raised) }
details[open] > div { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: 2px; background: var(--raised); border-radius: 6px }
.notice { padding: 24px 16px; text-align: center; color: var(--muted) }
.banner { padding: 4px 12px; background: var(--raised); color: var(--muted); font-size: 12px }
.banner.error { color: var(--danger) }
.more { display: block; width: 100%; padding: 10px; color: var(--accent) }
.choices { overflow-y: auto }
fieldset { border: 0; margin: 0; padding: 14px 16px }
fieldset + fieldset { border-top: 1px solid var(--line) }
legend { float: inline-start; width: 100%; padding: 0; margin-block-end: 4px; font-weight: 600 }
legend + * { clear: both }
.hours { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding-inline-start: 26px }
input[type=time] { background: var(--surface); border: 1px solid var(--muted); border-radius: 6px; padding: 2px 6px; min-height: 30px }
.zone { color: var(--muted); font-size: 12px }
label { display: flex; gap: 8px; align-items: center; min-height: 32px }
input[type=checkbox] { width: 18px; height: 18px; accent-color: var(--accent) }
[part=toasts] { position: fixed; z-index: 1001; inset-block-end: 12px; inset-inline-end: 12px; display: grid; gap: 8px; width: min(340px, calc(100vw - 24px)) }
[part=toast] { display: grid; grid-template-columns: 1fr auto; align-items: start; gap: 4px; padding: 10px 12px; background: var(--surface); border: 1px solid var(--line); border-inline-start: 4px solid var(--accent); border-radius: var(--radius); box-shadow: 0 8px 24px rgb(0 0 0 / .18); animation: rise .2s }
[part=toast] > div { display: grid; gap: 2px; min-width: 0 }
[part=toast] a { color: inherit }
[part=toast] p { margin: 0; color: var(--muted); overflow-wrap: anywhere; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden }
[part=toast] .severity { font-size: 12px }
[part=toast][data-severity=success] { border-inline-start-color: var(--success) }
[part=toast][data-severity=critical] { border-inline-start-color: var(--danger) }
[part=toast][data-severity=warning] { border-inline-start-color: var(--warning) }
[part=toast] strong { overflow-wrap: anywhere }
@keyframes rise { from { opacity: 0; translate: 0 8px } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; scroll-behavior: auto !important } }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
`;
