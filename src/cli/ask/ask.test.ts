import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFakeOpenAiChat } from '../../testing/fake-openai-chat.ts'
import type { Entry } from '../../protocol/entry.ts'
import { newFolder } from '../process.fixture.ts'
import { runHere } from '../shell.fixture.ts'
import { plainStyle } from '../terminal/style.ts'
import { askApproval } from './ask-approval.ts'

/** Types an answer each time the screen ends with one of the prompts. */
function typist(answers: readonly (readonly [prompt: string, typed: string])[]) {
  const left = [...answers]
  return (screen: string) => {
    const [next] = left
    if (next === undefined || !screen.endsWith(`${next[0]} > `)) return undefined
    left.shift()
    return next[1]
  }
}

async function answerBy(prompt: string, answers: readonly (readonly [string, string])[]) {
  const data = newFolder()
  const args = ['run', '--data', data, '--options', '{"pace":0}', prompt]
  const ran = await runHere(args, { person: typist(answers) })
  expect(ran.code).toBe(0)
  const session = /session (\S+) · dragoman tail/.exec(ran.out)?.[1] ?? ''
  const tail = await runHere(['tail', session, '--data', data, '--json'])
  const entries = tail.out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Entry)
  const given = entries.flatMap(({ event }) => (event.type === 'approval-answered' ? [event] : []))
  return { screen: ran.out, given }
}

const choices = 'y allow · n deny · e edit the input · a always allow'

describe('asking in the terminal', () => {
  it('[O3] shows the whole input, and accepts yes', async () => {
    const { screen, given } = await answerBy('an approval', [[choices, 'y']])
    expect(screen).toContain('Run Bash with this input?\n  {\n    "command": "rm -r build"\n  }\n')
    expect(given).toMatchObject([{ approved: true, reason: null, always: false }])
    expect(screen).toContain('? Bash: allowed\n')
  })

  it('[O3] accepts no, with a reason', async () => {
    const { given } = await answerBy('an approval', [
      [choices, 'perhaps'],
      [choices, 'n'],
      ['Reason for denying (optional)', 'I need it'],
    ])
    expect(given).toMatchObject([{ approved: false, reason: 'I need it' }])
  })

  it('[O3] accepts a changed input if it is JSON', async () => {
    const wanted = 'New input, as JSON on one line'
    const { screen, given } = await answerBy('an approval', [
      [choices, 'e'],
      [wanted, '{"command":'],
      [choices, 'e'],
      [wanted, '{"command":"ls"}'],
    ])
    expect(screen).toContain('Not valid JSON')
    expect(given).toMatchObject([{ approved: true, input: { command: 'ls' } }])
  })

  it('[O3] accepts always', async () => {
    const { given } = await answerBy('an approval', [[choices, 'a']])
    expect(given).toMatchObject([{ approved: true, always: true }])
  })

  it('[O3] shows a question as a numbered choice', async () => {
    const number = 'A number, or type your own answer'
    const { screen, given } = await answerBy('a question', [
      [number, '4'],
      [number, '2'],
    ])
    expect(screen).toContain('What colour should the door be?\n  1  red\n  2  green\n  3  blue\n')
    expect(screen).toContain('? AskUser: answered green\n')
    expect(given).toMatchObject([{ approved: true, input: { 'What colour should the door be?': 'green' } }])
  })
})

/** Asks about a command of an agent, with a person who types these answers. */
async function askWith(typed: string[], readsReasons = false) {
  const shown: string[] = []
  const dialogue = {
    style: plainStyle,
    say: (text: string) => void shown.push(text),
    async ask(prompt: string) {
      shown.push(prompt)
      return typed.shift() ?? null
    },
  }
  const scope = { tool: 'commandExecution', input: { command: 'ls' } }
  const asked = { ...scope, rule: scope, ruleReason: null, mayChange: false, readsReasons }
  return { answer: await askApproval(dialogue, asked), shown }
}

it('[O3] does not offer to change the input if the agent cannot take another', async () => {
  const { answer, shown } = await askWith(['e', 'edit', 'y'])
  expect(answer).toEqual({ approved: true })
  expect(shown.join('')).not.toContain('change the input')
  expect(shown.filter(text => text === 'Type y, n or a.\n')).toHaveLength(2)
})

it('[O3] warns before a reason is typed that the agent will not get it', async () => {
  const lost = 'This agent cannot receive a reason. It is only saved in the session.\n'
  const { answer, shown } = await askWith(['n', 'not today'])
  expect(answer).toEqual({ approved: false, reason: 'not today' })
  expect(shown.slice(-2)).toEqual([lost, 'Reason for denying (optional) > '])
  expect((await askWith(['n', 'not today'], true)).shown).not.toContain(lost)
})

it('[O3] offers to change the input if a configured agent can take another', async () => {
  await using model = await startFakeOpenAiChat(({ before }) => ({
    pieces: before === 0 ? [{ call: 'c1', name: 'run', input: { command: 'echo one' } }] : ['Done.'],
  }))
  const data = newFolder()
  const settings = { kind: 'model', provider: 'openai-compatible', baseUrl: model.url, model: 'm' }
  writeFileSync(join(data, 'dragoman.json'), JSON.stringify({ agents: { mine: settings } }))
  const asked = 'New input, as JSON on one line'
  const person = typist([
    [choices, 'e'],
    [asked, '{"command":"echo two"}'],
  ])
  const args = ['run', '--data', data, '--agent', 'mine', '--cwd', newFolder(), '--', 'Go']
  const { code, out } = await runHere(args, { person })
  expect(code).toBe(0)
  expect(out).toContain('e edit the input')
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('echo two')
})
