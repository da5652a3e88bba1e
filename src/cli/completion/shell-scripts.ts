/**
 * Scripts that enable completion in a shell. They call `rampart complete` with the words so far, of which the last is
 * incomplete. The first line of the result says whether files are allowed there, or only the words that follow.
 */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const shellScripts: Readonly<Record<Shell, string>> = {
  bash: `# rampart completion for bash: source <(rampart completion bash)
_rampart() {
  local kind='' candidate special
  local typed="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS= read -r candidate; do
      # Names come from others: within quotes too, the shell must not run any part of them.
      case "$typed" in
        \\"*)
          for special in '\\' '"' '$' '\`'; do
            candidate=\${candidate//"$special"/"\\\\$special"}
          done
          special='"\\!"'
          candidate=\${candidate//'!'/"$special"} ;;
        \\'*)
          special="'\\''"
          candidate=\${candidate//"'"/"$special"} ;;
        *) candidate=$(printf '%q' "$candidate") ;;
      esac
      COMPREPLY+=("$candidate")
    done
  } < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $kind == files ]]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F _rampart rampart
`,
  zsh: `#compdef rampart
# rampart completion for zsh: source <(rampart completion zsh)
_rampart() {
  local -a answer
  answer=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${answer[1]}" == files ]]; then
    _files
  elif (( \${#answer} > 1 )); then
    compadd -- "\${(@)answer[2,-1]}"
  fi
}
compdef _rampart rampart
`,
  fish: `# rampart completion for fish: rampart completion fish | source
function __rampart_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l answer ($words[1] complete -- $words[2..-1] 2>/dev/null)
  if test "$answer[1]" = files
    __fish_complete_path (commandline -ct)
  else if test (count $answer) -gt 1
    printf '%s\\n' $answer[2..-1]
  end
end
complete -c rampart -f -a '(__rampart_complete)'
`,
};
