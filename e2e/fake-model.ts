/** A model for trying message management: it reads a file, reads it again, and reports it. Prints its address. */
import { startFakeOpenAiChat } from '../src/testing/index.ts'

const path = process.argv[2] ?? 'README.md'
const model = await startFakeOpenAiChat(({ body }) => {
  const messages = body['messages'] as readonly { readonly role: string }[]
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const read = messages.slice(asked).filter(({ role }) => role === 'tool').length
  return read < 2
    ? { pieces: [{ call: `call-${messages.length}`, name: 'read', input: { path, limit: 100 } }] }
    : { pieces: ['I have read it twice.'] }
})
process.stdout.write(`${model.url}\n`)
