import assert from 'node:assert/strict'
import type { Scenarios } from './scenario.ts'
import type { Scene } from './scene.ts'
import { says, text, type Script } from './script.ts'
import { openTalk, wordsOf, type Talk } from './talk.ts'

/** Answers with the birds that are in its request. */
const birds: Script = ({ text: asked }) =>
  says(text(['heron', 'stork', 'crane'].filter(bird => asked.includes(bird)).join(' and ') || 'none'))

async function nameTwo({ open }: Scene): Promise<Talk> {
  const talk = await open()
  assert.equal(wordsOf(await talk.ask('A heron')), 'heron')
  assert.equal(wordsOf(await talk.ask('A stork')), 'heron and stork')
  return talk
}

const answersIn = ({ session }: Talk) => session.messages.get().filter(({ role }) => role === 'assistant')

/** Checks that the agent got a copy of the session if it can fork, and otherwise a transcript. */
function checkWay({ agent }: Scene, talk: Talk): void {
  const way = agent.cannot['fork'] === undefined ? 'forked' : 'transcript'
  assert.equal(talk.lastEvent('conversation-handed-over')?.how, way)
  assert.doesNotMatch(JSON.stringify(talk.session.messages.get()), /dragoman-conversation/)
}

/** Conversations that continue with another agent, or in a branch. */
export const handingOver: Scenarios = {
  'edit a prompt': {
    model: birds,
    async play(scene) {
      const talk = await nameTwo(scene)
      const parent = answersIn(talk)[0]?.id ?? ''
      const { seq } = await talk.session.prompt('A crane', { parent }).saved
      await talk.untilEnd(seq)
      assert.equal(wordsOf(talk.last()), 'heron and crane')
      checkWay(scene, talk)
      assert.equal(wordsOf(await talk.ask('And?')), 'heron and crane')
    },
  },
  'branch off': {
    model: birds,
    async play(scene) {
      const talk = await nameTwo(scene)
      const { id } = await talk.session.branch(answersIn(talk)[0]?.id ?? '')
      const branch = openTalk(scene.client, id)
      await branch.until('the branch is live', ({ phase }) => phase === 'live')
      assert.equal(wordsOf(await branch.ask('A crane')), 'heron and crane')
      checkWay(scene, branch)
      assert.equal(wordsOf(await talk.ask('And?')), 'heron and stork')
    },
  },
  'take over from another agent': {
    model: birds,
    async play({ client, world, agent }) {
      const { id } = await client.createSession({ agent: 'scripted', cwd: world.cwd })
      const talk = openTalk(client, id)
      await talk.until('the session is live', ({ phase }) => phase === 'live')
      await talk.ask('A heron')
      await talk.session.assign(agent.name)
      assert.match(wordsOf(await talk.ask('A stork')), /heron and stork/)
      assert.equal(talk.lastEvent('conversation-handed-over')?.how, 'transcript')
    },
  },
}
