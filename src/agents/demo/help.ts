/** The grammar for people: the answer to the prompt `help`, and shown by `reins run -a demo --help`. */
export const promptHelp = `A prompt is one step, or several separated by semicolons:

  list                    list the folder
  read F                  read a file
  write F text            write a file
  edit F from -> to       replace the first place where the text occurs
  run cmd                 run a program; for a shell: run sh -c "..."
  ask question            ask you something
  plan                    make a plan; in mode plan it waits for your approval
  think text              think aloud
  say text                say something
  sleep ms                do nothing for a while
  stream N                say something in N pieces
  big N                   a tool output of N bytes
  subagent steps          let a subagent do it: subagent "list; say hi"
  background ms           start a task that goes on after the turn
  fail code               end the turn with an error code, such as overloaded
  help                    this text

Put quotes around text with a semicolon in it: write notes.txt "one; two".
Any other text gets a short tour that ends in one small edit.
`;
