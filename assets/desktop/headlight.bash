# Completion of headlight for bash.
_headlight() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=
    case $prev in
    --model)
        words=$(headlight models 2>/dev/null | awk '{ print $2 }')
        ;;
    --screen) words='translate transformer positions memory images model arithmetic' ;;
    --stages) words='weights all' ;;
    --image | -o | --output)
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return
        ;;
    *)
        words='--model --screen --text --target --image --set --size --scale --beam --stages -o'
        [ "$COMP_CWORD" = 1 ] &&
            words="$words dump render translate tokenize models bench help --help --version"
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _headlight headlight
