import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { migrate } from '../../context/legacy/index.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { legacyEvents } from './legacy-events.ts'

const id = fc.constantFrom('a', 'b', 'c')
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('thinking'), thinking: fc.string(), signature: fc.string() }),
  fc.record({ type: fc.constant('tool_use'), id, name: fc.constant('Read'), input: fc.constant({ x: 1 }) }),
  fc.record({
    type: fc.constant('tool_result'),
    tool_use_id: id,
    content: fc.oneof(fc.string(), fc.constant([{ type: 'text', text: 'x' }])),
    is_error: fc.boolean(),
  }),
  fc.record({ type: fc.constant('tea'), leaves: fc.nat(9) }),
)
const message = fc.oneof(
  fc.record({
    role: fc.constantFrom('user', 'assistant', 'assistant', 'critic'),
    content: fc.oneof(fc.string(), fc.array(block, { maxLength: 4 })),
  }),
  fc.jsonValue() as fc.Arbitrary<Json>,
)

it('[X9] any old array gives a well-formed session that keeps each message unchanged', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), array => {
      const messages = JSON.parse(JSON.stringify(array)) as Json[]
      const events = legacyEvents(migrate('s', 'anthropic-messages', messages))
      expect(legacyEvents(migrate('s', 'anthropic-messages', messages))).toEqual(events)
      assertWellFormed(events.flatMap(chunksOf))
      const raws = events.flatMap(event => ('raw' in event ? [JSON.parse(event.raw) as Json] : []))
      expect(raws).toEqual(messages)
    }),
    { numRuns: 1000 },
  )
})
