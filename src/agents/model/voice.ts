import type { Json } from '../../protocol/json.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { ConnectOptions, RawMessage } from '../agent.ts'
import { withoutKey } from './keys.ts'
import type { AgentLine } from './lines.ts'
import { createSpeech, type Speech } from './speech.ts'
import { initial, translate, type ModelState } from './translate.ts'

/** What is said in a connection, in both directions; nothing that is said holds the key. */
export interface Voice {
  readonly speech: Speech
  /** Says a line of the loop. */
  say(line: AgentLine): Promise<void>
  /** Says an event of a model's stream as it came. */
  relay(request: string, block: string): Promise<void>
  /** Says a line of ours; resolves when it is saved. */
  tell(line: Readonly<Record<string, Json>>): Promise<void>
  /** What a reader of all lines knows by now: the same translation that everyone else makes of them. */
  readonly known: ModelState
}

/** Makes the voice of a connection. */
export function createVoice({ record }: Pick<ConnectOptions, 'record'>, key: string | null): Voice {
  const speech = createSpeech()
  let known = initial('loop' as ConnectionId)
  const utter = (text: string) => {
    const raw: RawMessage = { from: 'agent', text }
    known = translate(known, raw)[0]
    return speech.say(text)
  }
  return {
    speech,
    get known() {
      return known
    },
    say: line => utter(withoutKey(JSON.stringify(line), key)),
    async relay(request, block) {
      if (known.current !== request) await utter(JSON.stringify({ dragoman: 'from', request }))
      await utter(withoutKey(block, key))
    },
    async tell(line) {
      // Lines of both directions stand in the journal in the order in which they were said.
      await speech.heard()
      await record({ raw: withoutKey(JSON.stringify(line), key) })
    },
  }
}
