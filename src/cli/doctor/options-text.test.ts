import { expect, it } from 'vitest'
import { newFolder } from '../process.fixture.ts'
import { runHere } from '../shell.fixture.ts'
import { plainStyle } from '../terminal/style.ts'
import { optionsText } from './options-text.ts'

it('[A17] doctor lists the options of each agent with their values and risks', async () => {
  const { out } = await runHere(['doctor', '--options', '--data', newFolder()])
  const claude = out.slice(out.indexOf('Options of claude-code'), out.indexOf('Options of codex'))
  expect(claude).toContain('Values: default, acceptEdits, plan, dontAsk, auto, bypassPermissions.')
  expect(claude).toContain('Claude Code runs every command and edits every file without asking.')
  expect(claude).toMatch(/ {2}resume\n.*Only for a new session\./)
  expect((await runHere(['doctor', '--data', newFolder()])).out).not.toContain('Options of')
})

it('[A17] doctor prints the same schemas as JSON', async () => {
  const { out } = await runHere(['doctor', '--options', '--json', '--data', newFolder()])
  const { agents } = JSON.parse(out) as {
    readonly agents: readonly { readonly name: string; readonly options: { readonly properties: object } }[]
  }
  expect(agents.find(({ name }) => name === 'codex')?.options.properties).toHaveProperty('sandbox')
})

it('[A17] [S11] the text of an agent stays inert, and an agent without options says so', () => {
  const properties = { 'a\u001b[31m': { description: 'Red \u001b]0;owned\u0007.' } }
  expect(optionsText({ name: 'x', options: { type: 'object', properties } }, plainStyle)).not.toContain(
    '\u001b',
  )
  expect(optionsText({ name: 'x', options: null }, plainStyle)).toContain('This agent declares no options.')
})
