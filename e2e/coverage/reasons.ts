const scripted =
  'It runs in the process of the scripted agent, whose environment is closed, so that V8 reports nothing.'
const worker =
  'It runs in a worker thread without an environment, so that V8 reports nothing; the tests beside it use it.'

/** Why a file is run by few tests of `npm test`, or by none, as far as can be seen. */
export const reasons: Readonly<Record<string, string>> = {
  'src/agents/model/tools/search-files.ts': worker,
  'src/agents/model/tools/search-worker.ts': worker,
  'src/agents/scripted/news.ts': scripted,
  'src/agents/scripted/play.ts': scripted,
  'src/agents/scripted/process-stage.ts': scripted,
  'src/agents/scripted/stage.ts': scripted,
  'src/cli/work-log-view.ts':
    'It shows a log that is followed, in a process that is ended by a signal and leaves no report.',
  'src/journal/sqlite/hot-frames.ts': 'It mends damaged tables, which `npm run test:damage` makes.',
  'src/journal/sqlite/writer-messages.ts': 'Types, and a list that only `npm run test:crash` reads.',
  'src/search/threads/answer-calls.ts': worker,
  'src/search/threads/index-thread.ts': worker,
  'src/search/threads/query-thread.ts': worker,
  'src/sessions/strategies/strategy-worker.ts': worker,
}
