import * as z from 'zod/mini'
import type { Json } from '../../../protocol/json.ts'
import type { Answer } from '../../agent.ts'
import { asObject, objectOf } from '../../kit/fields.ts'
import { defineTool, ToolRefusal } from './tool.ts'

const option = z.strictObject({ label: z.string(), description: z.optional(z.string()) })
const questionSchema = z.strictObject({
  question: z.string(),
  header: z.optional(z.string()),
  options: z.array(option).check(z.minLength(1)),
  multiSelect: z.optional(z.boolean()),
})

/** Asks the person. */
export const ask = defineTool({
  name: 'ask',
  description:
    'Asks the person one or more questions, each with answers to choose from. Use it only when you cannot go on without knowing.',
  schema: z.strictObject({ questions: z.array(questionSchema).check(z.minLength(1)) }),
  asks: false,
  async run({ questions }, place): Promise<Json> {
    const answer = await place.askPerson()
    if (!answer.approved) throw new ToolRefusal(declined(answer))
    return {
      answers: answersOf(
        answer,
        questions.map(({ question }) => question),
      ),
    }
  },
})

const declined = ({ reason }: Answer) =>
  `The person did not answer${reason === null || reason === '' ? '.' : `: ${reason}`}`

/** Answers come by question, with the questions or alone; or as one text for all. */
function answersOf({ input, reason }: Answer, questions: readonly string[]): Json {
  const fields = asObject(input)
  const named = 'answers' in fields ? objectOf(fields, 'answers') : fields
  const given = Object.entries(named).filter(([question]) => questions.includes(question))
  if (given.length > 0) return Object.fromEntries(given)
  const word = typeof input === 'string' ? input : (reason ?? '')
  if (word === '') throw new ToolRefusal('The person gave no answer.')
  return Object.fromEntries(questions.map(question => [question, word]))
}
