import assert from 'node:assert/strict'
import { join } from 'node:path'
import { loadAgents } from '../../../src/agents/index.ts'
import type { Entry } from '../../../src/protocol/entry.ts'
import type { SessionId } from '../../../src/protocol/ids.ts'
import { digestOf, type Digest } from '../../../src/sessions/import/digest.fixture.ts'
import { openSessions } from '../../../src/sessions/sessions.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Scenarios } from './scenario.ts'
import type { Scene } from './scene.ts'
import { callThenSay, run, says, text } from './script.ts'
import { callsOf, type Talk } from './talk.ts'

const agents = await loadAgents()

/** All entries of a session, as the server gives them. */
async function entriesOf({ client }: Scene, { session }: Talk): Promise<readonly Entry[]> {
  const all: Entry[] = []
  for (;;) {
    const { entries } = await client.call('listEntries', {
      params: { session: session.id },
      query: { after: String(all.length), limit: '1000' },
    })
    if (entries.length === 0) return all
    all.push(...(entries as unknown as readonly Entry[]))
  }
}

/** The transcript that the agent left on disk, imported into a new store. */
async function importWhatIsLeft({ agent: { name }, world }: Scene): Promise<readonly (readonly Entry[])[]> {
  const agent = agents.find(each => each.name === name)
  const folder = join(world.folder, 'imported')
  await using store = await openStore({ folder, durability: 'fast' })
  await using sessions = await openSessions({ ...store, agents, dataFolder: folder })
  const imported: SessionId[] = []
  for await (const found of agent?.importer?.find(world.home) ?? []) {
    const transcript = await found.read({
      dataFolder: folder,
      skip: line => assert.fail(JSON.stringify(line)),
    })
    const { session, outcome } = await sessions.import({ agent: name, file: found.file, transcript })
    if (outcome === 'new') imported.push(session)
  }
  return Promise.all(imported.map(session => store.journal.read(session, 0, 100_000)))
}

/**
 * What differs between a live session and the same one imported, by agent: everything else must be equal. Documented in
 * docs/agents.md, "The same session, live and imported".
 */
const differences: Readonly<Record<string, readonly ((digest: Digest) => Digest)[]>> = {
  'claude-code': [],
  // A rollout has the calls of the model; the app-server has what Codex made of them.
  codex: [withoutCallDetails],
  opencode: [],
  // Over ACP some calls have a title and no input, text keeps its spaces, and the mode is reported.
  'gemini-cli': [withoutCallDetails, withoutNotices, withoutSpaces],
}

/** Entries that the server adds after it was killed are in no transcript. */
const afterCrash = [withoutCallDetails, withoutNotices, withoutSpaces, withoutUsage]

type Change = (digest: Digest) => Digest

const mapLines = (digest: Digest, change: (line: string) => readonly string[]): Digest => ({
  ...digest,
  threads: digest.threads.map(lines => lines.flatMap(change)),
})

function withoutCallDetails(digest: Digest): Digest {
  const states = (line: string) => / (output-[a-z]+)(?:: |$)/.exec(line)?.[1] ?? ''
  const plain = mapLines(digest, line => [line.startsWith('call ') ? `call ${states(line)}` : line])
  // Parallel calls are reported in the order of their ends, or of their starts.
  const sorted = (lines: readonly string[]) => lines.toSorted()
  return { ...plain, threads: plain.threads.map(sorted) }
}

function withoutNotices(digest: Digest): Digest {
  return mapLines(digest, line => (line.startsWith('notice ') ? [] : [line]))
}

function withoutSpaces(digest: Digest): Digest {
  return mapLines(digest, line => [line.trimEnd()])
}

function withoutUsage(digest: Digest): Digest {
  return { ...digest, tokens: '', cost: '' }
}

/** The times of a live session are those of its server, which waits for the agent to start. */
const slack = 60

function assertTimes(live: Digest, imported: Digest): void {
  for (const [index, second] of live.times.entries()) {
    const other = imported.times[index] ?? Number.NaN
    assert.ok(
      Math.abs(second - other) < slack,
      `times: ${live.times.join()} live, ${imported.times.join()} imported`,
    )
  }
}

/** Compares a live session with the imported one, after its server has ended: some agents write the cost only then. */
async function compare(scene: Scene, talk: Talk, more: readonly Change[] = []): Promise<void> {
  const live = digestOf(await entriesOf(scene, talk))
  await scene.restart()
  const [imported, ...others] = (await importWhatIsLeft(scene)).map(digestOf)
  assert.equal(others.length, 0, 'more than one session was imported')
  assert.ok(imported, 'no session was imported')
  const changes = [...(differences[scene.agent.name] ?? []), ...more]
  const plain = (digest: Digest) => ({ ...changes.reduce((each, change) => change(each), digest), times: [] })
  assert.deepEqual(plain(imported), plain(live))
  assertTimes(live, imported)
  await talk.until('the client is back', ({ phase }) => phase === 'live')
}

/** The imported transcript of an agent, compared with the live session. */
export const importing: Scenarios = {
  'import: tools': {
    model: ({ text: asked, results }) => {
      if (asked.includes('Go on')) return says(text('On we go.'))
      return results === 0
        ? says({ type: 'thinking', text: 'Hm.' }, text('I look. '), run('a', 'sleep 2; echo fine'), {
            type: 'fail',
            id: 'b',
          })
        : says(text('Done.'))
    },
    async play(scene) {
      const talk = await scene.open()
      await talk.ask('Do it')
      await talk.ask('Go on')
      await compare(scene, talk)
    },
  },
  'import: denied': {
    isLong: true,
    asking: true,
    model: callThenSay([run('a', 'touch made')], 'Then not.'),
    async play(scene) {
      const talk = await scene.open()
      const at = await talk.say('Make it')
      await talk.answer({ approved: false, reason: 'Not today.' })
      await talk.untilEnd(at)
      await compare(scene, talk)
    },
  },
  'import: interrupted': {
    // OpenCode reports a step when it ends, and this one never does.
    unreported: 1,
    model: ({ text: asked, results }) => {
      if (asked.includes('Go on')) return says(text('On we go.'))
      return results > 0
        ? says(text('Waited.'))
        : says(text('Before. '), run('a', 'mkdir -p w; sleep 6001; echo waited'))
    },
    async play(scene) {
      const talk = await scene.open()
      const at = await talk.say('Wait')
      await talk.untilSaid('Before. ')
      await talk.until('the command runs', () =>
        scene.agents().some(({ command }) => command === 'sleep 6001'),
      )
      await talk.session.interrupt()
      await talk.untilEnd(at)
      await talk.ask('Go on')
      await compare(scene, talk)
    },
  },
  'import: crash': {
    unreported: 1,
    model: ({ text: asked, results }) => {
      if (asked.includes('Go on')) return says(text('On we go.'))
      return results > 0
        ? says(text('Waited.'))
        : says(text('Before. '), run('a', 'mkdir -p w; sleep 6002; echo waited'))
    },
    async play(scene) {
      const talk = await scene.open()
      await talk.say('Wait')
      await talk.untilSaid('Before. ')
      await talk.until('the call is shown', () => callsOf(talk.last()).length > 0)
      await talk.until('the command runs', () =>
        scene.agents().some(({ command }) => command === 'sleep 6002'),
      )
      await scene.kill()
      await scene.restart()
      await talk.until('the client is back', ({ phase }) => phase === 'live')
      await talk.ask('Go on', 100_000)
      await compare(scene, talk, afterCrash)
    },
  },
  'import: subagent': {
    isLong: true,
    model({ text: asked, results }) {
      if (!asked.includes('Send one')) return says(text('The helper speaks.'))
      return results === 0 ? says({ type: 'send', id: 'a', task: 'Look around' }) : says(text('All done.'))
    },
    async play(scene) {
      const talk = await scene.open()
      await talk.ask('Send one')
      await compare(scene, talk)
    },
  },
}
