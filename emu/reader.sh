set -- $(od -An -v -tu1 "$1")
[ $# -ge 2 ] || exit 65
[ $(($1 % 8)) -le 5 ] || exit 65
[ $2 -ge 2 ] && [ $2 -le 9 ] && [ $# -eq $(($2 + 2)) ] || exit 65

exit 0
