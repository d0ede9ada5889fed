import { expect, it } from 'vitest'
import { chunksOf } from '../../protocol/event.ts'
import type { ApprovalId, RuleId, SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'

/** Each prompt is a question: `id tool {input}`. */
const asking: Act = async ({ text, say, answer }) => {
  const [id = '', tool = '', ...input] = text.split(' ')
  say({ t: 'begin' })
  say({ t: 'ask', id, tool, input: JSON.parse(input.join(' ')) as Json })
  await answer(id)
  say({ t: 'result', call: `call-${id}` })
  say({ t: 'end' })
}

async function open() {
  const puppet = createPuppet({ act: asking })
  const house = await openHouse([puppet])
  const session = await house.create()
  return { house, session, puppet }
}

const ask = async (house: House, session: SessionId, id: string, tool: string, input: Json) => {
  await house.prompt(session, `${id} ${tool} ${JSON.stringify(input)}`)
  await expect.poll(async () => (await house.sessions.get(session)).pending.length).toBe(1)
}
const allow = (house: House, session: SessionId, approval: string, more: object = {}) =>
  house.sessions.execute({ type: 'answer', session, approval, approved: true, always: true, ...more })

const answers = async (house: House, session: SessionId) =>
  (await house.events(session, 'approval-answered')).map(({ approval, approved, by }) => [
    approval,
    approved,
    by,
  ])

it('[T6] "always" makes a rule: it answers the same command, no other, until it is revoked', async () => {
  const { house, session, puppet } = await open()
  await using sessions = house.sessions
  await ask(house, session, 'a', 'Bash', { command: 'ls' })
  await allow(house, session, 'a')
  await sessions.whenIdle(session)
  const { rules } = await sessions.approvals(session)
  expect(rules).toMatchObject([{ tool: 'Bash', command: 'ls', approval: 'a' }])
  const entries = await house.entries(session)
  const made = entries.findIndex(({ event }) => event.type === 'rule-made')
  expect(entries[made - 1]?.event).toMatchObject({ type: 'approval-answered', always: true, by: 'person' })

  await house.prompt(session, 'b Bash {"command":"ls"}')
  await sessions.whenIdle(session)
  await ask(house, session, 'c', 'Bash', { command: 'ls -a' })
  await sessions.execute({ type: 'answer', session, approval: 'c', approved: false })
  await sessions.whenIdle(session)
  const rule = rules[0]?.id ?? ''
  await sessions.execute({ type: 'revoke', session, rule })
  expect((await sessions.approvals(session)).rules).toEqual([])
  await ask(house, session, 'd', 'Bash', { command: 'ls' })
  await sessions.execute({ type: 'answer', session, approval: 'd', approved: false })
  await sessions.whenIdle(session)
  expect(await answers(house, session)).toEqual([
    ['a', true, 'person'],
    ['b', true, 'rule'],
    ['c', false, 'person'],
    ['d', false, 'person'],
  ])
  // The agent never gets "always": a rule that it keeps could not be revoked.
  const sent = puppet.sent.filter(line => line.startsWith('{"answer"'))
  expect(sent.map(line => JSON.parse(line) as object)).toMatchObject(
    [true, true, false, false].map(approved => ({ approved, always: false })),
  )
  expect((await sessions.approvals(session, { all: true })).approvals).toMatchObject([
    { id: 'a', by: 'person', status: 'granted', always: true },
    { id: 'b', by: 'rule', status: 'granted', always: false },
    { id: 'c', by: 'person', status: 'denied' },
    { id: 'd', by: 'person', status: 'denied' },
  ])
  await expect(sessions.execute({ type: 'revoke', session, rule })).rejects.toMatchObject({
    code: 'unknown-rule',
  })
})

it('[T6] with an edited input, the rule covers the edited input and not the original', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  const rules = async () => (await sessions.approvals(session)).rules.map(({ tool, input }) => [tool, input])
  await ask(house, session, 'b', 'Bash', { command: 'rm -r /' })
  await allow(house, session, 'b', { input: { command: 'rm -r build' } })
  await sessions.whenIdle(session)
  expect(await rules()).toEqual([['Bash', { command: 'rm -r build' }]])
  await house.prompt(session, 'c Bash {"command":"rm -r build"}')
  await sessions.whenIdle(session)
  await ask(house, session, 'd', 'Bash', { command: 'rm -r /' })
  await sessions.execute({ type: 'answer', session, approval: 'd', approved: false })
  await sessions.whenIdle(session)
  expect((await answers(house, session)).slice(-2)).toEqual([
    ['c', true, 'rule'],
    ['d', false, 'person'],
  ])
})

it('[S10] a rule covers the whole input: another folder, flag, argument or variable is asked about again', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  const granted = { command: 'npm test', cwd: '/work', description: 'Run the tests' }
  await ask(house, session, 'a', 'Bash', granted)
  await allow(house, session, 'a')
  await sessions.whenIdle(session)
  expect((await sessions.approvals(session)).rules).toMatchObject([
    { agent: 'puppet', tool: 'Bash', input: { command: 'npm test', cwd: '/work' }, used: 0 },
  ])
  const others: readonly Json[] = [
    { ...granted, cwd: '/precious' },
    { command: 'npm test' },
    { ...granted, env: { PATH: '/evil' } },
    { ...granted, dangerouslyDisableSandbox: true },
    { ...granted, run_in_background: true },
    { ...granted, timeout: 1 },
    { ...granted, args: ['; rm -rf ~'] },
    { ...granted, command: ['npm', 'test'] },
    { ...granted, command: 'npm test ' },
    { ...granted, command: 'NPM TEST' },
  ]
  for (const [index, input] of others.entries()) {
    await ask(house, session, `o${index}`, 'Bash', input)
    await sessions.execute({ type: 'answer', session, approval: `o${index}`, approved: false })
    await sessions.whenIdle(session)
  }
  await house.prompt(
    session,
    `same Bash ${JSON.stringify({ cwd: '/work', description: 'x', command: 'npm test' })}`,
  )
  await sessions.whenIdle(session)
  expect((await answers(house, session)).at(-1)).toEqual(['same', true, 'rule'])
  expect((await sessions.approvals(session)).rules).toMatchObject([{ used: 1 }])
})

it('[S10] a denial with "always" is refused, because a rule can only allow, and the question stays open', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  await ask(house, session, 'a', 'Bash', { command: 'ls' })
  const answer = { type: 'answer', session, approval: 'a', approved: false } as const
  await expect(sessions.execute({ ...answer, always: true })).rejects.toMatchObject({ code: 'rule-refused' })
  expect((await sessions.get(session)).pending).toHaveLength(1)
  await sessions.execute(answer)
})

it('[S10] "always" is refused with a sentence where no rule can cover exactly what will run', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  const unclear: readonly (readonly [string, Json, RegExp])[] = [
    ['Bash', {}, /does not report the full input/],
    ['Bash', { description: 'Something' }, /nothing that a rule could compare/],
    ['AskUserQuestion', { questions: [] }, /needs a new answer each time/],
    ['Write', { text: 'x'.repeat(20_000) }, /too long/],
    ['mcp__lab__delete', { id: 9_007_199_254_740_992 }, /cannot be compared exactly/],
    ['Bash', { command: 'cat \uFFFD' }, /cannot be compared exactly/],
  ]
  for (const [index, [tool, input, sentence]] of unclear.entries()) {
    const approval = `u${index}`
    await ask(house, session, approval, tool, input)
    const [pending] = (await sessions.approvals(session)).approvals.filter(
      ({ status }) => status === 'pending',
    )
    expect(pending).toMatchObject({ rule: null, ruleReason: expect.stringMatching(sentence) as string })
    await expect(allow(house, session, approval)).rejects.toMatchObject({
      code: 'rule-refused',
      message: expect.stringMatching(sentence) as string,
    })
    expect((await sessions.get(session)).pending).toHaveLength(1)
    await sessions.execute({ type: 'answer', session, approval, approved: true })
    await sessions.whenIdle(session)
  }
  expect((await sessions.approvals(session)).rules).toEqual([])
})

it('[S10] a rule does not outlive other options of its agent, which may start another program', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  await ask(house, session, 'a', 'Bash', { command: 'ls' })
  await allow(house, session, 'a')
  await sessions.whenIdle(session)
  expect((await sessions.approvals(session)).rules).toHaveLength(1)
  await sessions.execute({ type: 'assign', session, agent: 'puppet', options: { program: 'another' } })
  expect((await sessions.approvals(session)).rules).toEqual([])
})

it('[S10] a question that a rule answers never waits: no state, list or watcher shows it as pending', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  await ask(house, session, 'a', 'Bash', { command: 'ls' })
  await allow(house, session, 'a')
  await sessions.whenIdle(session)
  const seen: string[] = []
  using _ = sessions.watch(({ status, pending }) => void seen.push(`${status} ${pending.length}`))
  for (const id of ['b', 'c', 'd']) await house.prompt(session, `${id} Bash {"command":"ls"}`)
  await sessions.whenIdle(session)
  expect(seen.filter(each => each.startsWith('waiting') || !each.endsWith(' 0'))).toEqual([])
  const entries = await house.entries(session)
  for (const id of ['b', 'c', 'd']) {
    const at = entries.findIndex(({ event }) =>
      chunksOf(event).some(({ chunk }) => chunk.type === 'tool-approval-request' && chunk.approvalId === id),
    )
    expect(entries[at + 1]?.event).toMatchObject({ type: 'approval-answered', approval: id, by: 'rule' })
    // Both were saved together, so nothing could happen between them.
    const late = sessions.execute({ type: 'answer', session, approval: id, approved: false })
    await expect(late).rejects.toMatchObject({ code: 'approval-settled' })
  }
})

it('[T6] rules survive a restart, and a new one answers pending questions', async () => {
  const act: Act = async ({ say, answer }) => {
    say({ t: 'begin' })
    for (const id of ['a', 'b']) say({ t: 'ask', id, tool: 'Read', input: { path: '/' } })
    await Promise.all([answer('a'), answer('b')])
    for (const id of ['a', 'b']) say({ t: 'result', call: `call-${id}` })
    say({ t: 'end' })
  }
  const house = await openHouse([createPuppet({ act })])
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await house.sessions.get(session)).pending.length).toBe(2)
  await allow(house, session, 'b')
  await house.sessions.whenIdle(session)
  expect(await answers(house, session)).toEqual([
    ['b', true, 'person'],
    ['a', true, 'rule'],
  ])
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen({ agents: [createPuppet({ act: asking })], recent: [session] })
  await using sessions = later.sessions
  await later.prompt(session, 'c Read {"path":"/"}')
  await sessions.whenIdle(session)
  expect((await answers(later, session)).at(-1)).toEqual(['c', true, 'rule'])
})

it('[T6] a question without an answer in time is denied', async () => {
  const puppet = createPuppet({ act: asking })
  const house = await openHouse([puppet], { limits: { approvalMs: 40 } })
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'a Read {}')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'approval-answered')).toMatchObject([
    { approval: 'a', approved: false, by: 'timeout', reason: 'No answer within 40 milliseconds.' },
  ])
  const late = sessions.execute({ type: 'answer', session, approval: 'a', approved: true })
  await expect(late).rejects.toMatchObject({
    code: 'approval-settled',
    details: { winner: { event: { by: 'timeout' } } },
  })
  expect(puppet.sent.filter(line => line.startsWith('{"answer"'))).toHaveLength(1)
})

it('[S10] rules of an older version answer nothing and are dropped once, with a notice in the session', async () => {
  const { house, session } = await open()
  await ask(house, session, 'a', 'Bash', { command: 'ls' })
  await house.sessions.execute({ type: 'answer', session, approval: 'a', approved: true })
  await house.sessions.whenIdle(session)
  await house.sessions[Symbol.asyncDispose]()
  const old = { type: 'rule-made', tool: 'Bash', approval: 'a' as ApprovalId } as const
  await house.journal.append(session, [
    { ...old, rule: 'wide' as RuleId, command: null },
    { ...old, rule: 'folders' as RuleId, command: 'ls' },
  ])
  for (const round of ['b', 'c']) {
    const later = await house.reopen({ agents: [createPuppet({ act: asking })], recent: [session] })
    await using sessions = later.sessions
    expect((await sessions.approvals(session)).rules).toEqual([])
    expect(await later.events(session, 'rules-dropped')).toMatchObject([{ rules: ['wide', 'folders'] }])
    const { messages } = await sessions.messages(session, { thread: null, limit: 20 })
    const notices = messages.flatMap(({ message }) =>
      message.parts.filter(({ type }) => type === 'data-notice'),
    )
    expect(notices).toMatchObject([
      { data: { code: 'rules-dropped', message: expect.stringContaining('2 "always" rules') as string } },
    ])
    await ask(later, session, round, 'Bash', { command: 'ls' })
    await sessions.execute({ type: 'answer', session, approval: round, approved: false })
    await sessions.whenIdle(session)
  }
})
