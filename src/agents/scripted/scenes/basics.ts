import type { Step } from '../script.ts'
import { begin, every, say } from './saying.ts'

/** How long something stays visible before it changes, in milliseconds. */
const toSee = 1000

/** The plan with a number of finished items. */
const plan = (done: number, delay = 0): Step => ({
  type: 'todos',
  delay,
  todos: ['Look around', 'Change one thing', 'Check that it works'].map((text, at) => ({
    text,
    status: at < done ? 'completed' : at === done ? 'in-progress' : 'pending',
  })),
})

/** One feature at a time, by phrase. */
export const basics: Readonly<Record<string, readonly Step[]>> = {
  thinking: [
    {
      type: 'thinking',
      text: 'The user wants to see me think. I will consider something small, and then report the result.',
      every,
    },
    say('I thought for a moment, and you could watch. '),
  ],
  tools: [
    say('I call three tools in parallel; one of them will fail. '),
    {
      type: 'tools',
      calls: [
        {
          tool: 'Read',
          input: { path: 'README.md' },
          output: '# A small project\nNothing to see.',
          takes: 300,
        },
        {
          tool: 'Bash',
          input: { command: 'npm test' },
          output: { exitCode: 0, stdout: '3 passed' },
          takes: 600,
        },
        {
          tool: 'Read',
          input: { path: 'missing.txt' },
          error: 'File missing.txt does not exist.',
          takes: 150,
        },
      ],
    },
    say('Two worked, and one file was missing. '),
  ],
  'an approval': [
    say('This needs your approval. You can edit the command first. '),
    { type: 'approval', tool: 'Bash', input: { command: 'rm -r build' }, output: 'The folder is gone.' },
    say('Thank you for deciding. '),
  ],
  'a question': [
    {
      type: 'question',
      question: 'What colour should the door be?',
      options: ['red', 'green', 'blue'],
    },
    say('Thank you, I will remember that. '),
  ],
  'a subagent': [
    say('I start a subagent, which starts another one. '),
    {
      type: 'subagent',
      agent: 'explorer',
      description: 'Find out how the tests are run',
      steps: [
        say('I read the scripts and start a subagent that counts the tests. '),
        {
          type: 'tools',
          calls: [
            { tool: 'Read', input: { path: 'package.json' }, output: '{"scripts":{"test":"vitest run"}}' },
          ],
        },
        {
          type: 'subagent',
          agent: 'counter',
          description: 'Count the tests',
          steps: [
            { type: 'tools', calls: [{ tool: 'Grep', input: { pattern: 'it\\(' }, output: '42 matches' }] },
            say('There are 42 tests.'),
          ],
        },
        say('Tests run with "npm test", and there are 42.'),
      ],
    },
    say('The subagents found it: "npm test", 42 tests. '),
  ],
  'an image': [say('Here is a small picture. '), { type: 'image' }],
  todos: [
    plan(0),
    say('That is my plan. '),
    plan(1, toSee),
    plan(2, toSee),
    plan(3, toSee),
    say('The plan is done. '),
  ],
  'a retraction': [
    {
      type: 'retraction',
      text: 'The capital of Australia is Sydney.',
      instead: 'The capital of Australia is Canberra. ',
      every,
      stands: toSee,
    },
  ],
}

/** Other kinds of approval, by phrase. */
export const questions: Readonly<Record<string, readonly Step[]>> = {
  'a change to approve': [
    say('I want to change one line of a file. You see the change first. '),
    {
      type: 'approval',
      tool: 'Edit',
      input: { file_path: 'src/door.ts', old_string: "colour: 'grey'", new_string: "colour: 'green'" },
      output: 'src/door.ts was changed.',
    },
    say('Next, I want to write a new file. '),
    {
      type: 'approval',
      tool: 'Write',
      input: { file_path: 'docs/door.md', content: '# The door\n\nIt is green.\n' },
      output: 'docs/door.md was written.',
    },
    say('That was the last change. '),
  ],
}

/** Steps that end the answer, so that nothing can follow. */
export const endings: Readonly<Record<string, readonly Step[]>> = {
  'an error': [
    begin('I begin, but '),
    { type: 'error', kind: 'overloaded', message: 'The model is overloaded. Try again in a minute.' },
  ],
  'a hang': [begin('I wait until you stop me '), { type: 'hang' }],
  'a crash': [
    begin('I am about to '),
    { type: 'log', text: 'Fatal: the demo was asked to crash.' },
    { type: 'crash' },
  ],
}
