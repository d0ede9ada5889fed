import { answerBench } from './part.ts'
import { sayAnswer } from './say-answer.ts'
import { serveAnswers } from './serve-answers.ts'

/** How long chunks gather before they are written: a few times a frame of a screen. */
const everyMs = 2

// The least that it takes: the same lines through the same translator, written a few at a time; nothing is kept, checked or shared.
answerBench(() =>
  serveAnswers((asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let text = ''
    let written = performance.now()
    const hear = (chunk: object) => {
      text += `data: ${JSON.stringify(chunk)}\n\n`
      const now = performance.now()
      if (now - written < everyMs) return
      response.write(text)
      text = ''
      written = now
    }
    void sayAnswer(asked, hear).then(() => response.end(text))
  }),
)
