import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startFakeAnthropic, type Block, type ModelAnswer } from '../../src/testing/fake-anthropic.ts'
import { quietEnvironment } from '../agents/claude-code/stage.ts'
import { claudeCode } from '../agents/live/claude-code.ts'
import { installCli, programsOf } from '../agents/live/clis.ts'
import { openRoom, type Room } from '../web/app/room.ts'

const files = {
  'package.json': `{ "name": "invoices", "type": "module", "scripts": { "test": "node --test" } }\n`,
  'src/total.js': `/** The total of an invoice, in cents. */
export function total(lines, taxRate) {
  let sum = 0
  for (const line of lines) {
    sum += Math.round(line.price * line.count * (1 + taxRate))
  }
  return sum
}
`,
  'test/total.test.js': `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/total.js'

test('tax is rounded once, on the whole invoice', () => {
  const lines = Array.from({ length: 3 }, () => ({ price: 102, count: 1 }))
  equal(total(lines, 0.19), 364)
})
`,
}

const prompt = 'Some invoices are off by a cent. Find out why and fix it.'

const call = (id: string, name: string, input: Readonly<Record<string, string>>): Block => ({
  type: 'call',
  call: `toolu_${id}`,
  name,
  input,
})
const words = (text: string): Block => ({
  type: 'text',
  pieces: text.split(/(?<= )/).flatMap(word => [word, { wait: 60 }]),
})

/** What the model answers, by the number of tool results that it has seen. */
const answers = (file: string): readonly (readonly Block[])[] => [
  [
    {
      type: 'thinking',
      pieces: [
        'A cent too much or too little: most likely the rounding. Let me look at how the total is made.',
      ],
    },
    { type: 'text', pieces: ['I’ll look at the code that adds up an invoice, then run its test.'] },
    call('read', 'Read', { file_path: file }),
  ],
  [call('test', 'Bash', { command: 'npm test', description: 'Run the tests' })],
  [
    {
      type: 'text',
      pieces: [
        '`total` rounds the tax on **each line**. Three lines of 102 cents come to 3 × 121 = 363 instead of 364. The tax belongs on the sum, rounded once:',
      ],
    },
    call('edit', 'Edit', {
      file_path: file,
      old_string: '    sum += Math.round(line.price * line.count * (1 + taxRate))\n  }\n  return sum',
      new_string: '    sum += line.price * line.count\n  }\n  return Math.round(sum * (1 + taxRate))',
    }),
  ],
  [call('again', 'Bash', { command: 'npm test', description: 'Run the tests again' })],
  [
    words(
      'Fixed. The tax is now computed on the sum of all lines and rounded once, so the total no longer drifts by a cent per line. The test passes. Two things to know: invoices that were already sent keep their old totals, and `creditNote` in the same folder still rounds per line, so it should get the same change.',
    ),
  ],
]

/** A room in which the real Claude Code works, offline: its model follows a script. */
export async function openRealRoom(browser: Browser): Promise<Room> {
  const failure = await installCli(claudeCode)
  if (failure !== null) throw new Error(failure)
  let file = ''
  const model = await startFakeAnthropic(({ body, results, last }): ModelAnswer => {
    if (body['tools'] === undefined) return { blocks: [{ type: 'text', pieces: ['Invoice totals'] }] }
    if (last.includes('Go on')) return { blocks: [words(afterwards)] }
    return { blocks: answers(file)[results] ?? [] }
  })
  const PATH = [programsOf(claudeCode), dirname(process.execPath), process.env['PATH'] ?? ''].join(':')
  const env = { ...quietEnvironment, PATH, ANTHROPIC_BASE_URL: model.url }
  const room = await openRoom(browser, { env, flags: ['--agent', claudeCode.name] })
  file = join(projectIn(room), 'src/total.js')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(projectIn(room), name)), { recursive: true })
    writeFileSync(join(projectIn(room), name), content)
  }
  return {
    ...room,
    get server() {
      return room.server
    },
    async [Symbol.asyncDispose]() {
      await room[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

const afterwards =
  'I was stopped in the middle; everything up to there is saved, so I continue. `creditNote` in the same folder still rounds per line and should get the same change. Shall I make it?'

const projectIn = ({ home }: Room) => join(home, 'work/invoices')

/** Starts the session, and approves everything up to the last command, which waits for approval. */
export async function startRealSession(room: Room): Promise<string> {
  const { id } = await room.client.createSession({
    agent: claudeCode.name,
    cwd: projectIn(room),
    title: 'Invoices off by a cent',
    options: { settingSources: [], allowedTools: ['Read'] },
  })
  const session = room.client.session(id)
  let approved = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = session.pendingApprovals.subscribe(pending => {
    for (const { id: approval } of pending) {
      if (approved === 2) return resolve()
      approved += 1
      session.answer(approval, { approved: true }).catch(reject)
    }
  })
  await session.prompt(prompt).saved
  await promise
  stop()
  return id
}

/** Opens the session, with its last change and the request in view. */
export async function showRealSession(page: Page, session: string): Promise<void> {
  await page.goto(new URL(`/s/${session}`, page.url()).href)
  await page.getByRole('button', { name: 'Allow', exact: true }).first().waitFor()
  await page.getByPlaceholder('Ask Claude Code to…').waitFor()
  await page.getByText('src/total.js').last().click()
}
