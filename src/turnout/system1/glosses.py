"""What the commonest words of requests are in English, as tables: German, French, Spanish, Italian.

Words are plain: lower case, without accents. `stem*` stands for every word that begins so.
"""

from typing import Final

TONGUES: Final = ("german", "french", "spanish", "italian")
"""The languages, in the order of the columns."""

VERBS: Final = """
    cancel/void | stornier* abbestell* absag* | annul* resili* | cancel* anul* | annull* cancell* disdi* disdett*
    send | schick* send* verschick* zusend* | envoie* envoy* | envia envie enviar enviame | invi* manda mandi mandami
    send | ubermittel* maile mail | expedi* transmet* | manda mande mandame remit* | mandare spedi* inoltr*
    book/reserve | buch* | book | contrat* | book
    reserve/book | reservier* | reserv* | reserv* | prenot* riserv*
    delete/remove | losch* | supprim* efface* | elimin* borr* suprim* | elimin* cancell* rimuov*
    remove/delete | entfern* | enlev* retirez retirer | quita quitar retira retirar | rimuov* togli*
    create/open/add/make | erstell* erzeug* | cree crees creez | crea cree crear | crea crei creami
    create/open/add/make | anleg* leg | creer etabli* | creame genera genere | creare genera generi
    show/list/display | zeig* | montr* affich* | muestra* muestre* mostrar ensena* | mostra* visualizza*
    open | offne* | ouvr* | abre* abra* abrir | apri aprite aprimi aprire apra
    close | schlies* | ferm* clos* | cierr* cerrar | chiud*
    start/launch/run | start* | demarr* lanc* | inici* arranc* | avvi*
    restart | neustart* | redemarr* relanc* | reinici* | riavvi*
    stop | stopp* halt* | arret* stopp* | deten* para parar pare | ferm* arrest*
    change/update/edit | ander* | chang* modifi* | cambi* modific* | cambi* modific*
    set/put | setz* | mets mettez mettre regle reglez | pon ponga poner | imposta* metti*
    set/put | stell* | regler fixe fixez fixer defini* | fija* ajust* establec* | mett* fissa*
    move/reschedule/postpone | verschieb* verleg* | deplac* decal* | muev* mover aplaz* traslad* | spost* rinvi* rimand*
    turn on | einschalt* anschalt* | allum* activ* | enciend* encend* activ* | accend* attiv*
    turn off | ausschalt* abschalt* | etein* desactiv* coupe coupez | apag* desactiv* | spegn* spegni disattiv*
    block/freeze/lock/suspend | sperr* blockier* | bloqu* | bloque* | blocc*
    unblock/unfreeze/unlock | entsperr* freischalt* | debloqu* | desbloque* | sblocc*
    transfer/send/wire | uberweis* | vire* virer transfer* | transfi* transfer* | trasferi* bonific* versa
    pay | bezahl* zahl* | paye payez payer | paga pague pagar | paga paghi
    pay | begleich* | paie regle* | pago abon* | pagare salda*
    order/buy | bestell* | commande commandez commander | pide pida pedir encarg* | ordin*
    buy | kauf* | achet* | compr* | compr* acquist*
    return/send back | zuruckschick* retournier* | renvo* retourn* | devuelv* devolv* | restitui* rendi
    refund/reimburse | erstatt* | rembours* | reembols* | rimbors*
    approve/release | genehmig* freigib* | approuv* valide | aprueb* aprob* | approv*
    approve/release | bewillig* | validez valider | autoriz* | autorizz*
    reject | ablehn* zuruckweis* | refus* rejet* | rechaz* deneg* | rifiut* respin*
    assign/give | zuweis* zuteil* weise | assign* attribu* affect* confi* | asign* atribu* | assegn* affid*
    extend/renew | verlanger* | prolong* | prorrog* prolong* extiend* amplia* | prolung* estend*
    renew/extend | erneuer* | renouvel* | renuev* renov* | rinnov*
    add/register | hinzufug* erganz* fug* | ajout* | anad* agreg* | aggiung*
    print | druck* ausdruck* | imprim* | imprim* | stamp*
    water | gies* bewasser* | arros* | rieg* regar | innaffi* annaffi* irrig*
    heat | heiz* beheiz* | chauff* | calient* calent* | riscald* scald*
    wake | weck* | reveill* | despiert* despert* | svegli*
    bring | bring* | apport* amen* | traiga trae traer | porta* porti*
    call | ruf* anruf* | appel* | llam* | chiam*
    remind | erinner* | rappel* | recuerd* recorda* | ricorda*
    note | notier* vermerk* | notez noter | anot* apunt* | annot* segna*
    share | teil* freigeb* | partag* | compart* | condivid*
    save | speicher* | enregistr* sauvegard* | guarda guarde guardar | salva salvi
    export | exportier* | export* | export* | esport*
    scale | skalier* | scal* passe | escal* | scal*
    deploy | deploy* ausroll* | deploi* deploy* | despleg* despliegu* | distribu* rilasci*
    roll back | zuruckroll* | retablis* | reviert* revert* | ripristin*
    silence | stummschalt* | silenc* | silenci* | silenzi*
    mute | stumm* | mute* | mute* | muta*
    check | pruf* kontrollier* | verifi* controle* | comprueb* comprob* revis* verific* | controll* verific*
    track | verfolg* | suiv* suis | rastre* | traccia*
    find/search | find* such* | trouv* cherch* | encuentr* encontr* busc* | trov* cerc*
    give/grant | gib geb* | donn* | da dame dale dar | dai dammi dagli dare
    make | mach* | fais faites faire | haz haga hacer hazme | fai faccia fare fammi
    request | beantrag* anforder* | demande demandez demander | solicit* | richied* chied*
    grant | erteil* gewahr* | accord* octro* | conced* otorg* | conced*
    revoke | entzieh* widerruf* | revoqu* | revoc* | revoc*
    confirm | bestatig* | confirm* | confirm* | conferm*
    enter/log/record/add | eintrag* trag* | saisis* inscri* | introduc* registr* | inseri* registr*
    increase/raise | erhoh* | augment* | aument* sube suba subir | aument* alza*
    lower/reduce | senk* reduzier* | baiss* redui* | baja baje bajar reduc* | abbass* ridu*
    swap | tausch* | echang* | intercambi* | scambi*
    schedule | plane planen | planifi* programm* | program* planific* | programm* pianific*
    update | aktualisier* | mets-a-jour actualis* | actualiz* | aggiorn*
    rename | umbenenn* | renomm* | renombr* | rinomin*
    charge/debit | berechn* belast* | facturez facturer | cobra* carga cargue | addebit*
    take | nimm nehm* | prends prenez prendre | toma tomar coge | prendi prenda
    want | mochte* will wollen | veux voudrais souhait* aimerais | quiero quisiera quier* | voglio vorrei vorremmo
    need | brauch* benotig* | besoin faut | necesit* | servono bisogno
    replace | ersetz* | remplac* | reemplaz* | sostitu*
    sign up | anmeld* | inscri* | inscrib* | iscriv*
    lock | verriegel* abschlies* zusperr* | verrouill* | |
    unlock | aufschlies* entriegel* | deverrouill* | | sblocca
    pick up/collect | abhol* | ramass* recuper* | recog* | ritir*
    ship/deliver | liefer* versend* | livr* | entreg* | consegn*
    log/record/register | erfass* | log | registr* | registr*
    pause | pausier* | suspendez suspendre | suspende suspender pausa | sospend*
    complain | beschwer* reklamier* | reclam* plain* | reclam* quej* | reclam*
    travel | reise verreis* flieg* | voyag* | viaj* voy | viaggi* vado parto
    check in | eincheck* | | |
    escalate | eskalier* | escalad* | | escal*
    join | teilnehm* beitret* | rejoin* particip* | unirme participar | partecip*
    repair/fix | reparier* | repare* | reparar repare repara | ripar*
    clean | putz* reinig* saug* saubermach* | nettoy* | limpi* | puli*
    dim | dimm* | tamis* | atenu* | attenu*
    write | schreib* | ecri* | escrib* | scriv*
    tell | sag sagen sage | dis dites dire | dile digale decir | digli dica dire
    inform/notify | informier* benachrichtig* | previens prevenez informe | informa informe avisa avise | informa avvis*
    play | spiel spiele spielen | joue jouez jouer | reproduc* | suona riproduci
    rent/hire | miet* | loue louez louer | alquil* | affitt* noleggi*
    invite/add | einlad* | invitez inviter | invita invite invitar | invita invitare
    upload | hochlad* | televers* | | carica caricare
    download | herunterlad* | telecharg* | descarg* | scaric*
    install | installier* | installez installer | instal* | installa installare
    reset | zurucksetz* | reinitialis* | restablec* | reimpost* azzer*
    finish/close/end | beend* | termine terminez terminer | termina termine acaba | termina finisci
    register/log/record | registrier* | | |
    use | benutz* verwend* nutz* einlos* | utilis* | utiliz* usa usar | utilizz* usa usare
    apply | anwend* | applique* | aplica aplique aplicar | applica applicare
    dispute | anfecht* bestreit* | contest* | disput* impugn* | contesta contestare
    withdraw/cancel | zuruckzieh* abheb* | | |
    archive | archivier* | archivez archiver | archiva archivar | archivia archiviare
    merge | zusammenfuhr* | fusionn* | fusion* | unisci fondi
    publish | veroffentlich* | publie* | publica publique publicar | pubblic*
    sign | unterschreib* unterzeichn* | signe signez signer | firma firmar | firma firmare
    visit | besuch* | rends-visite visitez visiter | visita visite visitar | visita visitare
    arrange | vereinbar* arrangier* | organise* | organiza organice | organizza organizzare
    book/reserve | vormerk* | | agend* | prenotare
    owe/due | schuld* | dois doit devons | debo debe debemos adeud* | devo dobbiamo
    weigh | wieg* | pese pesent | pesa pesan pesar | pesa pesano pesare
    count | zahl* | compte comptez compter | cuenta cuente contar | conta conti contare
    divert/reroute | umleit* | devi* detourn* reachemin* | desvi* | devia* reindirizz*
    fetch/collect/pick up | hol hole holen | | | ritira
    insure | versicher* | assurez assurer assure | asegur* | assicur*
    hold/keep | halte halten zuruckhalt* | retenez retenir retiens | reten* | trattieni trattenere
    release | loslass* | liber* relach* | liber* suelt* | rilasci* libera
    quote | | | cotiz* | quot*
    lend | verleih* leih* | pret* | prest* | presta*
    borrow | ausleih* | emprunt* | | prendere-in-prestito
    look | schau* guck* | regard* | mira mire mirar | guarda guardi
    wait | wart* | attend* | espera espere esperar | aspett*
    help | hilf helf* | aid* | ayud* | aiut*
    stop | halte-an | cess* | |
    divide | | divis* | divid* | divid*
    shorten | verkurz* | raccourc* ecourt* | acort* | accorci*
    double | verdoppel* | doubl* | duplic* dobl* | raddoppi*
    raise | heb hebe anheb* | relev* hauss* | elev* | innalz*
    reduce | verringer* | diminu* | rebaj* | diminui*
    hand over | ubergib ubergeb* | remett* remets | entreg* | consegn*
    exchange | umtausch* | | canje* | cambia*
    subscribe | abonnier* | abonn* | suscrib* | abbon*
    unsubscribe | abmeld* | desabonn* desinscri* | desuscrib* | disiscriv*
    charge/debit | abbuch* | prelev* | |
    freeze | einfrier* | gel* | congel* | congel*
    pick | kommissionier* | | | preleva*
    load | belad* lad* | charge | | caric*
    unload | entlad* | decharg* | descarg* | scaric*
    measure | mess* | mesur* | mid* | misur*
    follow up | nachfass* | relanc* | seguimiento | sollecit*
    answer | antwort* beantwort* | repond* | respond* contest* | rispond*
    know | wissen | savoir | saber | sapere
    receive | erhalt* bekomm* | recev* recois | recib* | ricev*
    return/send back | zuruckgeb* | rend* rapport* | regres* | restitu*
    terminate | kundig* | resili* | rescind* | disdic*
    claim | beanspruch* | declar* reclam* | declar* | denunci*
    hurry | beeil* | depech* | apur* | sbrig*
    wake | aufweck* | | | sveglia
"""
"""Rows of an English verb, or of several that may be meant (`a/b`), and its forms by language."""

NOUNS: Final = """
    card/ticket | karte* | carte* | tarjeta* | carta carte tessera
    credit card | kreditkarte* | | |
    credit | | credit | credito | credito
    debit | debit | debit | debito | debito
    account | konto kontos konten girokonto | compte* | cuenta* | conto conti
    savings | spar* sparkonto | epargne | ahorro* | risparmi*
    balance | kontostand saldo | solde | saldo | saldo
    limit | limit | limite plafond | limite | limite massimale
    statement/report | kontoauszug auszug | releve* | extracto* | estratto
    bill/invoice | rechnung* | facture* | factura* | fattur* bolletta
    money | geld | argent | dinero | soldi denaro
    euros | euro | euros | euros | euro
    pounds | pfund | livres | libras | sterline
    dollars | dollar | dollars | dolares | dollari
    order | bestellung* auftrag* | commande* | pedido* | ordine ordini
    parcel/package/shipment | paket* sendung* | colis paquet* | paquete* | pacco pacchi
    shipment/delivery/parcel | lieferung* | livraison* expedition* | envio* entrega* | spedizion* consegn*
    truck | lkw lastwagen laster | camion* | camion* | camion
    gate/door/dock | tor tore | | |
    dock | rampe laderampe* | quai | muelle | banchina
    label | etikett* | etiquette* | etiqueta* | etichett*
    labels | etiketten | etiquettes | etiquetas | etichette
    copies | kopien exemplare | copies exemplaires | copias | copie
    pieces | stuck | pieces | piezas unidades | pezzi
    stock/inventory | bestand lager | stock | existencias | scorte magazzino
    address | adresse | adresse | direccion | indirizzo
    customer/client | kunde* kundin | client* | cliente* | client*
    contact/lead/customer | kontakt* | contact* | contacto* | contatt*
    deal/opportunity | deal geschaft | affaire | trato negocio | affare trattativa
    offer/quote | angebot* | offre* devis | oferta* presupuesto | offert* preventivo
    note/message | notiz* | remarque* | nota* | nota
    task/todo/ticket | aufgabe* | tache* | tarea* | compito attivita
    appointment/visit/meeting/booking | termin* | rendez-vous | cita* | appuntament*
    meeting | besprechung* sitzung* | reunion* | reunion* | riunion*
    vacation/leave/holiday | urlaub* ferien | conges vacances | vacaciones | ferie vacanze
    leave request | urlaubsantrag* | | |
    request/application | antrag* anfrage* | demande* | solicitud* | richiest*
    leave/time off | frei | conge | permiso baja | permesso
    sick | krank | malade maladie | enfermo enferma enfermedad | malato malattia
    shift | schicht* | equipe service | turno* | turno turni
    hours | stunden | heures | horas | ore
    minutes | minuten | minutes | minutos | minuti
    days | tage tagen | jours | dias | giorni
    weeks | wochen | semaines | semanas | settimane
    week | woche | semaine | semana | settimana
    nights | nachte nachten | nuits | noches | notti
    report/statement | bericht* report | rapport* | informe* reporte* | rapporto relazione
    sales | umsatz* verkaufe | ventes chiffre | ventas | vendite
    costs | kosten | couts frais | costes costos | costi
    month | monat* | mois | mes meses | mese mesi
    quarter | quartal* | trimestre* | trimestre* | trimestre*
    weekly | wochentlich | hebdomadaire | semanal semanalmente | settimanale settimanalmente
    daily | taglich | quotidien quotidiennement | diario diariamente | giornaliero quotidianamente
    monthly | monatlich | mensuel mensuellement | mensual mensualmente | mensile mensilmente
    room/hall | zimmer raum | chambre* salle* | habitacion* sala* | camera camere stanza sala
    single room | einzelzimmer | | |
    double room | doppelzimmer | | |
    single | einzel* | simple individuelle | individual | singola
    double | doppel* | double | doble | doppia
    suite | suite | suite | suite | suite
    table/desk | tisch* | table* | mesa* | tavolo tavoli
    people | personen leute gaste | personnes | personas | persone
    booking | buchung* | | | prenotazione prenotazioni
    reservation | reservierung* | reservation* | reserva* | riserva
    towels | handtucher handtuch | serviettes | toallas | asciugamani
    pillow | kissen | oreiller* | almohada* | cuscino cuscini
    blanket | decke | couverture* | manta* | coperta coperte
    key | schlussel | cle clef | llave* | chiave chiavi
    breakfast | fruhstuck | petit-dejeuner | desayuno | colazione
    wake-up call | weckruf | | | sveglia
    guest/customer | gast | hote* | huesped* | ospite ospiti
    door/gate | tur | porte* | puerta* | porta
    light/lights/lamp | licht | lumiere* | luz | luce
    lamps | lampen lampe lichter | lampes lumieres | lamparas luces | lampade luci
    heating/temperature | heizung | chauffage | calefaccion | riscaldamento
    degrees | grad | degres | grados | gradi
    alarm/alert | alarm wecker | alarme | alarma | allarme
    pump | pumpe | pompe | bomba | pompa
    tomatoes | tomaten | tomates | tomates | pomodori
    roses | rosen | roses | rosas | rose
    herbs | krauter | herbes | hierbas | erbe
    water | wasser | eau | agua | acqua
    service | dienst* | service* | servicio* | servizi*
    server/machine/vm/host | server | serveur* | servidor* | server
    database | datenbank* | base donnees | base datos | database
    backup/snapshot | sicherung* backup | sauvegarde* | copia seguridad | backup
    logs | logs protokolle protokoll | journaux logs | registros logs | log registri
    alerts/alarms | warnungen alarme | alertes | alertas avisos | avvisi allarmi
    access | zugriff zugang | acces | acceso | accesso
    user/account | benutzer* nutzer* | utilisateur* | usuario* | utente utenti
    password | passwort kennwort | mot-de-passe | contrasena clave | password
    production | produktion | production prod | produccion | produzione
    replicas | replikate instanzen | repliques instances | replicas instancias | repliche istanze
    book | buch bucher | livre* | libro* | libro libri
    loan/credit | ausleihe | pret emprunt | prestamo | prestito
    hold | vormerkung | | |
    ticket/issue | ticket* | billet* ticket* | billete* ticket | bigliett*
    invoice | | | |
    file | datei* | fichier* | archivo* fichero* | file
    email | mail mails e-mail | courriel mail | correo | mail posta
    phone | telefon* | telephone | telefono | telefono
    number | nummer | numero | numero | numero
    date | datum | date | fecha | data
    name | name | nom | nombre | nome
    won | gewonnen | gagne | ganado ganada | vinto vinta
    lost | verloren | perdu perdue | perdido perdida | perso persa
    where | wo | ou | donde | dove
    when | wann | quand | cuando | quando
    who | wer | qui | quien | chi
    how many | wieviele | combien | cuantos cuantas | quanti quante
    how much | wieviel | | cuanto cuanta | quanto quanta
    what | was | quoi | que | cosa
    which | welche welcher welches | quel quelle | cual | quale qual
    is | ist | est | esta es | e
    today | heute | aujourd'hui | hoy | oggi
    tomorrow | morgen | demain | manana | domani
    tonight | heute-abend | ce-soir | | stasera
    on | an ein | | | acceso accesa
    off | aus | | | spento spenta
    new | neue neuen neues neuer | nouveau nouvelle | nuevo nueva | nuovo nuova
    flight | flug fluge fluges | vol vols | vuelo* | volo voli
    trip | reise reisen | voyage* | viaje* | viaggio viaggi
    train | zug zuge | | tren trenes | treno treni
    car/vehicle/van | auto autos wagen mietwagen | voiture* | coche* | macchina automobile
    seat/place | sitz* sitzplatz platz | siege* | asiento* | posto posti
    suitcase | koffer | valise* | maleta* | valig*
    bag | tasche | bagage bagages | equipaje | bagagl*
    window | fenster* | fenetre* | ventana* | finestr*
    kitchen | kuche | cuisine | cocina | cucina
    bedroom | schlafzimmer | | dormitorio | camera-da-letto
    living room | wohnzimmer | salon sejour | salon | soggiorno salotto
    hallway | flur diele | couloir | pasillo | corridoio
    bathroom | badezimmer | | bano | bagno
    front door | haustur eingangstur | | |
    blinds | jalousie* rollladen rollos | volets | persianas | tapparelle persiane
    floor | boden fussboden | | suelo | pavimento
    office | buro | bureau | oficina* | ufficio
    home | zuhause hause | maison | casa | casa
    course/class/lesson/training | kurs kurse schulung* | cours formation* | curso* | corso corsi
    certificate/confirmation | bescheinigung* zertifikat* | certificat attestation* | certificado* | certificat*
    salary | gehalt* lohn | salaire* | salario* sueldo | stipendio
    badge | ausweis* | | credencial* | tesserino
    cart/basket | warenkorb | panier | carrito | carrello
    coupon/voucher | gutschein* | | cupon* | buono
    mugs | tassen becher | tasses | tazas | tazze
    candles | kerzen | bougies | velas | candele
    message/note | nachricht* | | mensaje* | messaggi*
    status | | statut | estado | stato
    busy | beschaftigt | occupe occupee | ocupado ocupada | occupato occupata
    calendar | kalender | calendrier | calendario | calendario
    call/phone | gesprach telefonat | coup-de-fil | llamada* | chiamata telefonata
    visit | besuch | visite | visita | visita
    year | jahr jahre | annee | ano anos | anno anni
    price | preis* | prix | precio* | prezz*
    contract | vertrag* | contrat | contrato* | contratto
    employee/staff/worker | mitarbeiter* | employe* | empleado* | dipendente
    colleague/employee | kollege* kollegin | collegue* | companero* | collega
    doctor | arzt arztin | medecin | medico | medico dottore
    temperature | temperatur | | temperatura | temperatura
    volume | lautstarke | | volumen |
    music | musik | musique | musica | musica
    movie/film | | | pelicula | film
    error/problem | fehler | erreur* | | errore
    problem/issue/error | | probleme | problema* | problema
    payment/transfer | zahlung* | paiement* | | pagament*
    fee/charge | gebuhr* | | comision | commissione
    overdraft | dispo dispokredit uberziehung* | decouvert | descubierto | scoperto
    standing order | dauerauftrag* | | |
    evening | abend | soir | noche | sera
    next | nachste nachsten nachster kommende | prochain prochaine | proximo proxima | prossimo prossima
    every | jeden jede jedes | chaque | cada | ogni
    another | weitere weiteren | autre | otro otra | altro altra
    again | neu wieder | encore nouveau | nuevo | nuovo
    all | alle alles | tous toutes tout | todos todas todo | tutti tutte tutto
    lesson/class | unterricht* | lecon* | clase clases leccion* | lezion*
    hour/lesson/class | stunde | heure | hora | ora
    minute | minute | minute | minuto | minuto
    day | tag | jour | dia | giorno
    piano | klavier* | | | pianoforte
    violin | geige* violine* | violon* | violin* | violino
    guitar | gitarre* | guitare* | guitarra* | chitarr*
    drums | schlagzeug | batterie | bateria | batteria
    gate/door/barrier | schranke* | portail barriere | verja barrera* | cancello cancelli
    zone | bereich* | | zona* | zona zone
    late shift | spatschicht* | | |
    early shift | fruhschicht* | | |
    night shift | nachtschicht* | | |
    night | nacht | nuit | noche | notte
    morning | vormittag* | matin | manana | mattina mattino
    afternoon | nachmittag* | apres-midi | tarde | pomeriggio
    early | fruh | tot | temprano | presto
    late | spat | tard | tarde | tardi
    later | spater | plus-tard | despues | dopo
    earlier | fruher | | antes | prima
    statistics | statistik* | statistiques | estadistica* | statistic*
    list | liste* | liste* | lista* | lista liste elenco
    newsletter | newsletter rundbrief* | infolettre | boletin* | notiziario
    subject | betreff | objet | asunto | oggetto
    budget | budget* etat | | presupuesto* | budget
    amount | betrag* summe | montant* somme | importe* monto cantidad | importo importi
    quantity | menge* anzahl | quantite* | cantidad* | quantita
    reason | grund | raison motif | motivo* razon | motivo ragione
    stolen | gestohlen* geklaut* | vole volee voles | robad* | rubat*
    damaged | beschadigt* kaputt* | abime* endommage* | danad* roto rota | danneggiat* rotto rotta
    broken | defekt* | casse cassee | averiad* | guasto guasta
    wrong | falsch* | faux fausse mauvais | equivocad* incorrect* | sbagliat*
    missing | fehlend* | manquant* | faltante* | mancante
    urgent | dringend* eilig* | urgente | urgente | urgente
    joint | gemeinschaft* gemeinsam* | joint commun | conjunt* compartid* | cointestat*
    checking | giro | courant* | corriente | corrente
    business | geschafts* geschaftlich* | professionnel* | empresa negocios | aziendale
    private | privat* | prive privee | privad* | privat*
    public | offentlich* | publique | publico publica | pubblic*
    personal | personlich* | personnel* | | personale
    daily limit | tageslimit | | |
    cheque | scheck* | cheque* | cheque* | assegno assegni
    loan/credit | kredit* darlehen* | emprunt* | prestamo* | prestito mutuo
    interest | zinsen zins | interets | intereses | interessi
    transfer/payment | uberweisung* | virement* | transferencia* | bonifico bonifici
    transaction | buchungen transaktion* umsatze | transaction* | transaccion* movimientos | transazion* moviment*
    charge | abbuchung* | debit prelevement* | cargo cargos | addebit*
    cash | bargeld | especes liquide | efectivo | contanti
    branch/location | filiale* zweigstelle* | agence* succursale* | sucursal* | filiale filiali
    insurance | versicherung* | assurance* | seguro seguros | assicurazion*
    claim | schaden* | sinistre* reclamation* | siniestro* | sinistro
    policy | police | | poliza* | polizza
    library | bibliothek* bucherei* | bibliotheque* | biblioteca* | biblioteca
    author | autor* | auteur* | autor* | autore autrice
    title | titel | titre* | titulo* | titolo titoli
    member/reader | mitglied* | membre* adherent* | miembro* socio | membro socio
    reminder | erinnerung* mahnung* | rappel* | recordatorio* | promemoria
    fine | busse* mahngebuhr* | amende* | multa* | multa multe
    event | veranstaltung* | evenement* | evento* | evento eventi
    place/seat/spot | platz* | place places | plaza plazas lugar | posto posti luogo
    shipment/delivery/parcel | fracht* ladung* | fret cargaison* | carga cargamento* | carico carichi
    container | container behalter | conteneur* | contenedor* | container
    warehouse | lagerhaus* lagerhalle* | entrepot* | almacen* | magazzino
    pallet | palette* | palette* | palet palets | pallet bancale
    driver | fahrer* | chauffeur* conducteur* | conductor* chofer | autista conducente
    vehicle | fahrzeug* | vehicule* | vehiculo* | veicolo veicoli
    route | strecke* | itineraire* | ruta* | percorso rotta
    customs | zoll* | douane* | aduana* | dogana
    documents/papers | dokumente* unterlagen papiere | documents papiers | documentos papeles | documenti
    document | dokument | | documento | documento
    weight | gewicht* | poids | peso | peso
    delivery/shipment | zustellung* | | | recapito
    pickup | abholung* | enlevement* ramassage | recogida* | ritiro
    return | rucksendung* retoure* | | devolucion* | reso resi
    refund | ruckerstattung* | remboursement* | reembolso* | rimborso rimborsi
    item/product/article | artikel* | article* | articulo* | articolo articoli
    product/item | produkt* | produit* | producto* | prodotto prodotti
    stock/inventory | lagerbestand | | inventario* | giacenza
    discount | rabatt* | remise* rabais | descuento* | sconto sconti
    size | grosse | taille | talla tamano | taglia misura
    color | farbe* | couleur* | color* | colore colori
    shirt | hemd* | chemise* | camisa* | camicia
    shoes | schuhe* | chaussures | zapatos | scarpe
    overtime | uberstunden | | | straordinari straordinario
    deputy/stand-in/substitute | vertretung* stellvertret* | remplacant* suppleant* | suplente* sustituto* | sostituto
    team/group | | equipe | equipo* | squadra
    department | abteilung* | departement* | departamento* | reparto reparti dipartimento
    manager | vorgesetzt* chef chefin | responsable* | jefe jefa gerente | responsabile capo
    remaining | verbleibend* ubrig* rest | restant* | restante* | rimanent* residu*
    day off | urlaubstag* | | | giorno-libero
    holiday/leave | feiertag* | jour-ferie | festivo* | festivo
    annual | jahrlich* jahres* | annuel* | anual* | annual*
    unpaid | unbezahlt* | sans-solde | sin-sueldo | non-retribuit*
    parental | eltern* | parental* | parental* | parentale
    lead/prospect | interessent* | prospect* | | potenziale
    company/account/customer | firma firmen unternehmen | entreprise* societe* | compania* | aziend* ditta societa
    opportunity | chance verkaufschance* | opportunite* | oportunidad* | opportunita
    stage | phase* stufe* | etape* phase | etapa* fase | fase
    owner/holder | besitzer* inhaber* zustandig* | proprietaire* | dueno* propietari* | proprietari*
    revenue | einnahmen erlose | recettes revenus | ingresos | entrate ricavi
    profit | gewinn* | benefice* | beneficio* ganancia* | profitto utile
    expenses | ausgaben spesen | depenses | gastos | spese
    chart | diagramm* | graphique* | grafico* grafica | grafico
    table/desk | tabelle* | tableau* | tabla* | tabella
    quarterly | vierteljahrlich quartalsweise | trimestriel* | trimestral* | trimestrale
    pool | schwimmbad | piscine | piscina | piscina
    taxi | taxi | | | taxi
    parking | parkplatz* stellplatz* | parking stationnement | aparcamiento estacionamiento | parcheggio
    laundry | wasche | linge | lavanderia ropa | lavanderia biancheria
    cleaning | reinigung* | nettoyage menage | limpieza | pulizia pulizie
    bed | bett* | lit lits | cama camas | letto letti
    crib | kinderbett* babybett* | berceau | cuna | culla
    checkout/departure | abreise* | depart | salida | partenza
    arrival | ankunft anreise* | arrivee* | llegada* | arrivo
    departure | abfahrt abflug* | | | partenza
    deployment | bereitstellung* | deploiement* | despliegue* | rilascio
    version | version* | version* | version* | versione
    environment | umgebung* | environnement* | entorno* | ambiente
    region | region* | region* | region* | regione
    backup/snapshot | datensicherung* | | respaldo* | salvataggio
    disk | festplatte* | disque* | disco* | disco
    machine/vm/server | maschine* rechner | machine | maquina* | macchina
    token | | jeton* | |
    permission | berechtigung* rechte | permission* autorisation* | permiso* | permess* autorizzazion*
    role | rolle* | | rol roles papel | ruolo
    group | gruppe* | groupe* | grupo* | gruppo gruppi
    project | projekt* | projet* | proyecto* | progetto progetti
    maintenance/service | wartung* | entretien maintenance | mantenimiento | manutenzione
    incident/outage | storung* vorfall* | incident* panne | incidencia* incidente* | incidente
    form | formular* | formulaire* | formulario* | modulo
    application | bewerbung* | candidature* | candidatura* | domanda candidatura
    patient | patient* | patient* | paciente* | paziente pazienti
    prescription/refill | rezept* | ordonnance* | receta* | ricetta
    medicine/drug/medication | medikament* | medicament* | medicamento* medicina | medicina farmaco
    painkiller | schmerzmittel | antidouleur* | analgesico* | antidolorifico
    vaccination | impfung* | vaccination* vaccin | vacuna* vacunacion | vaccinazion* vaccino
    dog | hund* | chien* | perro* perra | cane
    cat | katze* | chat chatte | gato gata | gatto gatta
    animal/pet | tier tiere haustier* | animal animaux | mascota* | animale
    child/pupil | kind kinder | enfant* | nino nina hijo hija | bambin*
    school | schule* | ecole* | escuela* colegio | scuola
    teacher/trainer | lehrer* | professeur* prof | profesor* maestr* | insegnante professor*
    address | anschrift | | domicilio | recapito
    city | stadt | ville | ciudad | citta
    street | strasse | rue | calle | via
    friend | freund* | ami amie | amigo amiga | amico amica
    birthday | geburtstag* | anniversaire* | cumpleanos | compleanno
    coffee | kaffee | | cafe | caffe
    tea | tee | | te | te
    lunch | mittagessen | dejeuner | almuerzo comida | pranzo
    dinner | abendessen | diner | cena | cena
    person | person | personne | persona | persona
    adults | erwachsene* | adultes | adultos | adulti
    ready | bereit fertig | pret prete | listo lista | pronto pronta
    open | offen* | ouvert* | abiert* | apert*
    closed | zu geschlossen* | ferme fermee | cerrad* | chius*
    free | kostenlos* | gratuit* libre | gratis libre* | gratis liber*
    full | voll* | plein* complet | llen* | pien* completo completa
    last | letzte letzten letzter | dernier derniere derniers | ultim* pasado pasada | ultim* scors*
    first | erste ersten erster | premier premiere | primer* | prim*
    both | beide beiden | les-deux | ambos ambas | entrambi entrambe
    only | nur | seulement | solo solamente | solo soltanto
    other | andere anderen anderer | autres | otros otras | altri altre
"""
"""Rows of an English noun or the like and its forms by language."""

LITTLE: Final = """
    please | bitte | s'il-te-plait s'il-vous-plait plait | favor | favore
    the | der die das den dem des | le la les l | el la los las | il lo la i gli le l
    a | ein eine einen einem einer | un une | un una | un una uno
    my | mein meine meinen meiner meinem | mon ma mes | mi mis | mio mia miei mie
    for | fur | pour | para por | per
    to | zu zum zur nach | a au aux | al | al alla ai agli
    on | auf | sur | sobre en | su sul sulla
    of | von vom | de du des d | de del | di del della dei delle d
    in | im | dans en | en | in nel nella
    with | mit | avec | con | con
    at | um | | a | alle
    from | ab | depuis | desde | da dal dalla
    until | bis | jusqu | hasta | fino
    and | und | et | y | e
    you | sie du ihr | vous tu | usted tu | lei tu
    where is | | | | dov'e
    I | ich | je j | yo | io
    we | wir | nous | nosotros | noi
    me | mir mich | me moi | me | mi
    it | es | | lo | lo
    this | diese dieser dieses | ce cette cet | este esta | questo questa
    two | zwei | deux | dos | due
    three | drei | trois | tres | tre
    four | vier | quatre | cuatro | quattro
"""
"""Rows of little words."""

APART: Final = """
    restart starte neu | turn-on schalt ein | turn-on schalt an
    turn-off schalt aus | turn-on mach an | turn-off mach aus
    open mach auf | close mach zu | create leg an | cancel sag ab | reject lehn ab | call ruf an | assign weis zu
    assign teil zu | add fug hinzu | reset setz zuruck | pick-up hol ab | enter trag ein | release gib frei
    approve gib frei | set-up richt ein | accept nimm an | scale fahr hoch | increase dreh auf | return schick zuruck
    increase stell hoch | turn-off stell ab | turn-off dreh ab | turn-on dreh an | shut-down fahr herunter
    check-in check ein | check-out check aus | forward leit weiter | pass-on gib weiter | sign-up meld an
    enroll trag ein | unsubscribe meld ab | lock schliess ab | lock sperr ab | unlock schliess auf
    unlock sperr auf | postpone schieb auf | cancel bestell ab | lower dreh runter | lower dreh herunter
    increase dreh hoch | deploy spiel aus | deploy spiel ein | deploy roll aus | roll-back roll zuruck
    replace tausch aus | take-back nimm zuruck | clean mach sauber | note schreib auf | upload lad hoch
    divert leit um | register meld an | enroll teil ein | schedule teil ein | assign teil ein
    hold halt zuruck | show zeig an | raise heb an | pick-up hol an | view schau an | look-at sieh an
    switch-on knips an | order ruf ab | print druck aus | fill-in full aus | pay-out zahl aus
    pay-in zahl ein | pay zahl ein | lend leih aus | close mach dicht | hang-up leg auf | hand-over gib ab
    deliver liefer aus | deliver liefer ab | send schick raus | send schick los | send schick ab
    start fahr an | wake weck auf | pack pack ein | put stell ein | set stell ein | hire stell ein
    charge buch ab | transfer buch um | rebook buch um | book buch ein | invite lad vor
    close schliess ab | stop halt an | add trag nach | propose schlag vor | read lies vor
    prepare bereit vor | reserve merk vor | postpone leg um | move leg um
    download lad herunter | invite lad ein | refund zahl zuruck | withdraw zieh zuruck
"""
"""German verbs of two parts: the English verb, how the first part begins, and the second, which ends the clause."""
