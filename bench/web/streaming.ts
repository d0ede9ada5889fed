import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Room } from '../../e2e/web/app/room.ts'
import type { Step } from '../../src/agents/scripted/script.ts'
import { createRandom } from '../load/random.ts'
import { createWords } from '../load/words.ts'

/** How many chunks a second each session brings, about. */
export const rate = 100

const wordsEach = 200

/** The script of an agent that streams for this long: text with code in between, and now and then a call. */
function steps(seconds: number, seed: number): readonly Step[] {
  const words = createWords(createRandom(seed))
  const paragraph = () => `${words(40)}\n\n- ${words(8)}\n- **${words(3)}** ${words(6)}\n\n`
  const text = () =>
    `## ${words(4)}\n\n${paragraph()}${paragraph()}\`\`\`ts\n${words(12)}\n${words(12)}\n\`\`\`\n\n${words(40)}\n`
  return Array.from({ length: Math.ceil((seconds * rate) / wordsEach) }, (): readonly Step[] => [
    { type: 'text', text: text(), every: 1000 / rate - 1 },
    { type: 'tools', calls: [{ tool: 'Read', input: { file_path: words(2) }, output: words(60) }] },
  ]).flat()
}

/** Sessions that all begin to talk, and do so for about so long; gives their ids. */
export async function startTalking(
  { client, home }: Room,
  count: number,
  seconds: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let no = 0; no < count; no += 1) {
    const script = join(home, `talk-${no}-${seconds}.json`)
    writeFileSync(script, JSON.stringify(steps(seconds, no + 1)))
    const { id } = await client.createSession({ title: `Talk ${no}`, options: { script } })
    ids.push(id)
  }
  for (const id of ids) await client.session(id).prompt('Talk.').saved
  return ids
}
