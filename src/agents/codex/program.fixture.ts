import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The beginning of a program that pretends to be Codex; the rest can use `say(message)` and `hear(message => …)`. */
const beginning = `#!/usr/bin/env node
const say = message => process.stdout.write(JSON.stringify(message) + '\\n')
let rest = ''
const hear = take => process.stdin.on('data', piece => {
  const lines = (rest + piece).split('\\n')
  rest = lines.pop()
  for (const line of lines) take(JSON.parse(line))
})
`

/** A minimal app-server: it starts a thread, and does what the text of a prompt names. */
export const obedient = `
const turn = { threadId: 'T', turn: { id: 'U' } }
const actions = {
  finish: () => say({ method: 'turn/completed', params: turn }),
  command: () => say({ id: 0, method: 'item/commandExecution/requestApproval', params: { itemId: 'c' } }),
  question: () => say({
    id: 1, method: 'item/tool/requestUserInput',
    params: { itemId: 'q', questions: [{ id: 'who', question: 'Who?' }, { id: 'why', question: 'Why?' }] },
  }),
  mcp: () => say({
    id: 2, method: 'mcpServer/elicitation/request', params: { _meta: { persist: ['session'] } },
  }),
  permissions: () => say({
    id: 3, method: 'item/permissions/requestApproval', params: { itemId: 'p', permissions: { network: {} } },
  }),
  old: () => say({ id: 4, method: 'execCommandApproval', params: { callId: 'o' } }),
  settle: () => say({ method: 'serverRequest/resolved', params: { requestId: 0 } }),
  time: () => say({ id: 5, method: 'currentTime/read', params: {} }),
  tool: () => say({ id: 6, method: 'item/tool/call', params: {} }),
  login: () => say({ id: 7, method: 'account/chatgptAuthTokens/refresh', params: {} }),
  die: () => process.exit(7),
}
hear(({ id, method, params }) => {
  if (id === undefined || method === undefined) return
  const gone = method === 'thread/resume' && params.threadId === 'gone'
  const late = method === 'turn/steer' && params.expectedTurnId === 'U' && params.input[0].text === 'refuse'
  if (gone || late) return say({ id, error: { code: -32600, message: 'no rollout found' } })
  const thread = { id: method === 'thread/fork' ? 'F' : 'T' }
  say({ id, result: method.startsWith('thread/') ? { thread } : method === 'turn/start' ? { turn: turn.turn } : {} })
  const began = () => say({ method: 'turn/started', params: turn })
  if (method === 'turn/start' && params.input[0].text === 'slowly') setTimeout(began, 200)
  else if (method === 'turn/start') began()
  if (method === 'turn/interrupt') say({ method: 'turn/completed', params: turn })
  actions[params?.input?.[0]?.text]?.()
})
`

/** Makes Dragoman start such a program as Codex, until the test is over. */
export function pretendCodex(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-codex-'))
  const file = join(folder, 'codex')
  writeFileSync(file, beginning + body)
  chmodSync(file, 0o755)
  const before = process.env['DRAGOMAN_CODEX']
  process.env['DRAGOMAN_CODEX'] = file
  onTestFinished(() => {
    if (before === undefined) delete process.env['DRAGOMAN_CODEX']
    else process.env['DRAGOMAN_CODEX'] = before
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
