import { createUIMessageStream, pipeUIMessageStreamToResponse } from 'ai'
import { answerBench } from './part.ts'
import { sayAnswer } from './say-answer.ts'
import { serveAnswers } from './serve-answers.ts'

// The same native lines, translated by the same translator, through the AI SDK's own stream and pipe: nothing is kept.
answerBench(() =>
  serveAnswers((asked, response) => {
    const stream = createUIMessageStream({
      execute: ({ writer }) => sayAnswer(asked, chunk => writer.write(chunk)),
    })
    void pipeUIMessageStreamToResponse({ response, stream })
  }),
)
