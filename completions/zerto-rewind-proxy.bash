# bash completion for zerto-rewind-proxy
_zerto_rewind_proxy() {
  local IFS=$'\n' cur=${COMP_WORDS[COMP_CWORD]} words=() index word glued= kind= cut=0
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ${#words[@]} -gt 0 && ( $word == [=:] || -n $glued ) ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word == [=:] ]]; then glued=1; else glued=; fi
  done
  if [[ $cur == [=:] ]]; then cur=; fi
  word=${words[${#words[@]}-1]}
  cut=$((${#word} - ${#cur}))
  COMPREPLY=()
  while read -r word; do
    if [[ -z $kind ]]; then kind=$word; else COMPREPLY+=("${word:cut}"); fi
  done < <("${COMP_WORDS[0]}" completion at -- "${words[@]}" 2>/dev/null)
  case $kind in
    file) COMPREPLY=($(compgen -f -- "$cur")) ;;
    directory) COMPREPLY=($(compgen -d -- "$cur")) ;;
    command) COMPREPLY=($(compgen -c -f -- "$cur")) ;;
  esac
  if [[ $kind != words ]]; then compopt -o filenames 2>/dev/null; fi
}
complete -F _zerto_rewind_proxy zerto-rewind-proxy
