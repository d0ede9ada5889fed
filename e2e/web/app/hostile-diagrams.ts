import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { openSession, scriptedSession, words } from './scripted.ts'
import { sendPrompt, transcript, untilIdle } from './steps.ts'

const elsewhere = 'http://evil.example'
const image = `<img src=x onerror=alert(1)>`
const drawing = `<svg onload=alert(1)></svg>`

/** Kinds of diagrams that try to run, load or open something, by what they try. */
const kinds: Readonly<Record<string, string>> = {
  'an image in a label': `flowchart LR\n  A["${image}"] --> B`,
  'a drawing in a label': `flowchart LR\n  A["${drawing}"] --> B`,
  'a script in a label': 'flowchart LR\n  A["<script>alert(1)</script>"] --> B',
  'a frame in a label': `flowchart LR\n  A["<iframe src='${elsewhere}' srcdoc='<script>alert(1)</script>'></iframe>"]`,
  'a Markdown label': `flowchart LR\n  A["\`**x** ${image}\`"]`,
  'an edge label': `flowchart LR\n  A -->|"${image}"| B`,
  'a subgraph title': `flowchart LR\n  subgraph one ["${image}"]\n    A\n  end`,
  'a click that runs a function': 'flowchart LR\n  A --> B\n  click A callback "x"\n  click B call alert(1)',
  'a click to a javascript address': 'flowchart LR\n  A --> B\n  click A href "javascript:alert(1)" _top',
  'settings in a directive': `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "@import url(${elsewhere}/a.css); * { background: url(${elsewhere}/b) }", "fontFamily": "x; } * { background: url(${elsewhere}/c)"} }%%\nflowchart LR\n  A["${image}"]`,
  'settings in front matter': `---\ntitle: "${image}"\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n  dompurifyConfig:\n    ADD_TAGS: [script, iframe]\n---\nflowchart LR\n  A["${image}"]`,
  'styles with addresses': `flowchart LR\n  A:::x --> B\n  classDef x fill:url(${elsewhere}/a),background:url(${elsewhere}/b),mask-image:url(${elsewhere}/c)\n  style B filter:url(${elsewhere}/d),cursor:url(${elsewhere}/e)\n  linkStyle 0 stroke:url(${elsewhere}/f)`,
  'a node that is a picture': `flowchart LR\n  A@{ img: "${elsewhere}/a.png", label: "x", pos: "t", w: 60, h: 60 } --> B`,
  'an icon': `flowchart LR\n  A["fa:fa-x ${image}"] --> B@{ icon: "evil:x", form: "square" }`,
  'a sequence': `sequenceDiagram\n  participant A as ${image}\n  A->>B: ${image}\n  Note over A: ${drawing}\n  link A: x @ javascript:alert(1)\n  links A: {"x": "javascript:alert(1)"}\n  properties A: {"class": "x", "icon": "${elsewhere}/a.png"}`,
  'a class diagram': `classDiagram\n  class A["${image}"]\n  A : +x() ${image}\n  A <|-- B : ${image}\n  click A href "javascript:alert(1)"\n  note for A "${drawing}"`,
  'a state diagram': `stateDiagram-v2\n  state "${image}" as a\n  [*] --> a : ${image}\n  note right of a : ${drawing}`,
  'a Gantt chart': `gantt\n  title ${image}\n  dateFormat YYYY-MM-DD\n  section ${image}\n  ${image} :a1, 2026-01-01, 3d\n  click a1 href "javascript:alert(1)"`,
  'a pie': `pie title ${image}\n  "${image}" : 3\n  "${drawing}" : 4`,
  'a mind map': `mindmap\n  root(("${image}"))\n    a["${drawing}"]\n    ::icon(fa fa-x" onload="alert(1))`,
  'an entity diagram': `erDiagram\n  A ||--o{ B : "${image}"\n  A["${image}"] {\n    string x "${image}"\n  }`,
  'a C4 diagram': `C4Context\n  title ${image}\n  Person(a, "${image}", "${drawing}", $sprite="${elsewhere}/a.png", $link="javascript:alert(1)")\n  System(b, "x")\n  Rel(a, b, "${image}")`,
  'a timeline, a journey and a chart': `timeline\n  title ${image}\n  2026 : ${image}\n  2027 : ${drawing}`,
  'a formula':
    String.raw`flowchart LR` +
    '\n' +
    String.raw`  A["$$\href{javascript:alert(1)}{x} \includegraphics{http://evil.example/a.png} \htmlData{x=1}{y}$$"] --> B`,
  'a requirement': `requirementDiagram\n  requirement a {\n    id: 1\n    text: "${image}"\n    risk: high\n    verifymethod: test\n  }\n  element b {\n    type: "${image}"\n  }\n  b - satisfies -> a`,
  escapes:
    'flowchart LR\n  A["#lt;img src=x onerror=alert(1)#gt; &lt;img src=x onerror=alert(1)&gt; &#60;img src=x onerror=alert(1)&#62;"]',
  'a kanban board and a git graph': `gitGraph\n  commit id: "${image}" tag: "${drawing}"\n  branch "x${image}"`,
}

/** Writes down each violation of a policy, each complaint of the console, each request and each way out. */
async function watch(page: Page, room: Room): Promise<readonly string[]> {
  const troubles: string[] = []
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      console.error(`policy violation: ${violatedDirective} ${blockedURI} ${sample}`),
    )
    for (const name of ['alert', 'prompt', 'confirm'])
      Object.assign(window, { [name]: () => console.error(`${name} ran`) })
  })
  page.on('console', message => {
    if (message.type() === 'warning' || message.type() === 'error') troubles.push(message.text())
  })
  page.on('pageerror', error => troubles.push(String(error)))
  page.on('dialog', dialog => void (troubles.push(`a dialog: ${dialog.message()}`), dialog.dismiss()))
  page.context().on('request', request => {
    if (!request.url().startsWith(`${room.server.url}/`) && !/^(?:data|blob):/.test(request.url()))
      troubles.push(`a request to ${request.url()}`)
  })
  page.on('framenavigated', frame => {
    if (!frame.url().startsWith(room.server.url) && frame.url() !== 'about:blank')
      troubles.push(`it went to ${frame.url()}`)
  })
  return troubles
}

/** Diagrams are drawn where nothing of theirs runs, loads or leads anywhere. */
export const hostileDiagrams: Scenarios = {
  '27 kinds of hostile diagrams run, load and open nothing, and violate no policy': {
    pace: '0',
    async play(room) {
      const all = Object.entries(kinds)
      const answers = all.map(([kind, text]) => [words(`This is ${kind}.\n\n\`\`\`mermaid\n${text}\n\`\`\``)])
      const session = await scriptedSession(room, ...answers)
      const page = await openSession(room, session)
      const troubles = await watch(page, room)
      const failures: string[] = []
      let drawn = 0
      for (const [kind] of all) {
        const before = troubles.length
        await sendPrompt(page, `draw ${kind}`)
        await untilIdle(room, session)
        const origin = await originOfDrawing(page, kind)
        if (origin !== null) drawn += 1
        if (origin !== null && origin !== 'null') failures.push(`${kind}: its frame has the origin ${origin}`)
        failures.push(...troubles.slice(before).map(trouble => `${kind}: ${trouble}`))
      }
      assert.deepEqual(failures, [])
      assert.ok(drawn >= 15, `only ${drawn} were drawn`)
    },
  },
}

/** Waits for a diagram, and returns the origin of its frame; null when it could not be drawn. */
async function originOfDrawing(page: Page, kind: string): Promise<string | null> {
  const row = transcript(page)
    .locator('[data-row]')
    .filter({ hasText: `This is ${kind}.` })
  const frame = row.locator('iframe[title=Diagram]').contentFrame()
  const undrawn = row.getByText('Couldn’t draw this diagram')
  await Promise.any([frame.locator('#place > svg').waitFor(), undrawn.waitFor()])
  if ((await undrawn.count()) > 0) return null
  return await frame.locator('body').evaluate(() => self.origin)
}
